import type { Messages } from '../index.ts'
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

/** The text of the console in German. */
export const german: Messages = {
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
