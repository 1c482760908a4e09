import { app } from './app.ts'
import { box } from './box.ts'
import { files } from './files.ts'
import { game } from './game.ts'
import { imports } from './imports.ts'
import { map } from './map.ts'
import { scans } from './scans.ts'
import { shell } from './shell.ts'
import { states } from './states.ts'
import { welcome } from './welcome.ts'

/** Every word of the console, in one place: another language is another object of this shape. Words with a value in them are functions. */
export const words = { app, box, files, game, imports, map, scans, shell, states, welcome }
