import { type Call, commandName } from '../platform/process/command-name.ts'

/** First words of the commands. */
export const WORDS = [
  'app',
  'backup',
  'basemap',
  'codes',
  'convert',
  'doctor',
  'export',
  'files',
  'grids',
  'help',
  'import-gcps',
  'keys',
  'migrate',
  'photos',
  'rebuild-ranks',
  'restore',
  'serve',
  'tags',
  'user',
  'worker',
]
/** `cairn` before a command, in help and messages. */
const COMMAND = new RegExp(`\\bcairn(?=:| (${[...WORDS, 'COMMAND', '--version'].join('|')})(?![\\w-]))`, 'g')

/** A text that names commands, with the name under which the user called this one. */
export const asCalled = (text: string, call: Call = {}): string => text.replace(COMMAND, () => commandName(call))
