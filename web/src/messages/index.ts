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

/** Every word of the console, in one place: another language is another object of this shape. Words with a value in them are functions. */
export const messages = { app, box, files, game, imports, map, scans, shell, states, welcome }
