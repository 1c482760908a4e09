import { common } from './common.ts'
import type { Texts } from './index.ts'
import { shell } from './shell.ts'

/** The text of the console in English. */
export const english: Texts = {
  accounts: async () => (await import('./admin/accounts.ts')).accounts,
  admin: async () => (await import('./admin/admin.ts')).admin,
  app: async () => (await import('./apps/apps.ts')).app,
  common: async () => common,
  files: async () => (await import('./files.ts')).files,
  game: async () => (await import('./game/game.ts')).game,
  imports: async () => (await import('./imports.ts')).imports,
  locate: async () => (await import('./locate.ts')).locate,
  map: async () => (await import('./map.ts')).map,
  scans: async () => (await import('./scans.ts')).scans,
  sharedMaps: async () => (await import('./shared-maps.ts')).sharedMaps,
  shell: async () => shell,
  tokens: async () => (await import('./tokens.ts')).tokens,
  welcome: async () => (await import('./welcome.ts')).welcome,
}
