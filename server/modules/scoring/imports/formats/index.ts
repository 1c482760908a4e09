import { cairn } from './cairn.ts'
import type { ScoreFormat } from './format.ts'
import { nakama } from './nakama.ts'
import { playfab } from './playfab.ts'
import { talo } from './talo.ts'

/** All formats, in the order in which they are tried. A new one is a file here and a line. */
export const SCORE_FORMATS: readonly ScoreFormat[] = [playfab, nakama, talo, cairn]
