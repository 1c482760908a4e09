import { box } from './admin.ts'
import { app } from './apps.ts'
import { states } from './common.ts'
import { files } from './files.ts'
import { game } from './game.ts'
import { imports } from './imports.ts'
import { map } from './map.ts'
import { scans } from './scans.ts'
import { shell } from './shell.ts'
import { welcome } from './welcome.ts'

/** All text of the console. A translation is an object of the same shape. Text with values in it is a function. */
export const messages = { app, box, files, game, imports, map, scans, shell, states, welcome }
