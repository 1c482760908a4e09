import type { accounts } from './admin/accounts.ts'
import type { admin } from './admin/admin.ts'
import type { app } from './apps/apps.ts'
import { common } from './common.ts'
import type { files } from './files.ts'
import type { game } from './game/game.ts'
import type { imports } from './imports.ts'
import type { locate } from './locate.ts'
import type { map } from './map.ts'
import type { scans } from './scans.ts'
import type { sharedMaps } from './shared-maps.ts'
import { shell } from './shell.ts'
import type { tokens } from './tokens.ts'
import type { welcome } from './welcome.ts'

/** The text of the console in one language, by area. A translation has the same shape. Text with values in it is a function. */
export type Messages = {
  accounts: typeof accounts
  admin: typeof admin
  app: typeof app
  common: typeof common
  files: typeof files
  game: typeof game
  imports: typeof imports
  locate: typeof locate
  map: typeof map
  scans: typeof scans
  sharedMaps: typeof sharedMaps
  shell: typeof shell
  tokens: typeof tokens
  welcome: typeof welcome
}
export type Area = keyof Messages

/** How the texts of one language are loaded: each area when a page first needs it. */
export type Texts = { [area in Area]: () => Promise<Messages[area]> }

/**
 * The text of the console in the current language. `common` and `shell` are always there. Every other area is there once
 * `loadTexts` has loaded it, as routes.tsx does before it loads a page.
 */
export const messages = { common, shell } as Messages
