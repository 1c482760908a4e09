import { admin } from './admin/admin.ts'
import { app } from './apps/apps.ts'
import { common } from './common.ts'
import { files } from './files.ts'
import { game } from './game/game.ts'
import { imports } from './imports.ts'
import { locate } from './locate.ts'
import { map } from './map.ts'
import { scans } from './scans.ts'
import { sharedMaps } from './shared-maps.ts'
import { shell } from './shell.ts'
import { tokens } from './tokens.ts'
import { welcome } from './welcome.ts'

/** All text of the console. A translation is an object of the same shape. Text with values in it is a function. */
export const messages = {
  admin,
  app,
  common,
  files,
  game,
  imports,
  locate,
  map,
  scans,
  sharedMaps,
  shell,
  tokens,
  welcome,
}

/** The text of the console in one language. */
export type Messages = typeof messages
