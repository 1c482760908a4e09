import type { Layer } from '../../../../gdal/gdal.ts'
import { LayerChoice, SurveyFileError } from '../../errors.ts'
import { truncate } from '../../truncate.ts'

const MAX_NAMED = 12
const MAX_LISTED = 100
const MAX_NAME = 255
const MAX_CHARACTERS = 60

/** The format's word for a layer. */
export type LayerWord = 'layer' | 'sheet'

/**
 * Selects the layer of the request, otherwise the only one that may have points and is not hidden.
 * @param hidden names of layers to read only by name
 * @throws SurveyFileError WHICH_LAYER if there are several, none of that name or only hidden ones; EMPTY_FILE if there
 * is none
 */
export function selectLayer(
  layers: readonly Layer[],
  asked: string | undefined,
  word: LayerWord,
  hidden: ReadonlySet<string> = new Set(),
): Layer {
  const fit = layers.filter((layer) => mayHoldPoints(layer) && !hidden.has(layer.name))
  if (asked !== undefined) {
    const found = layers.find(({ name }) => name === asked)
    if (found) return found
    throw new LayerChoice(
      `the file has no ${word} "${truncate(asked, MAX_CHARACTERS)}": it has ${namesOf(layers)}`,
      layersIn(layers),
    )
  }
  if (fit.length === 1) return fit[0]!
  if (fit.length > 1)
    throw new LayerChoice(
      `the file has ${fit.length} ${word}s with ${word === 'sheet' ? 'rows' : 'points'}, ${namesOf(fit)}: name the one to import, as in layer=${truncate(fit[0]!.name, MAX_CHARACTERS)}`,
      layersIn(fit),
    )
  const concealed = layers.filter((layer) => mayHoldPoints(layer) && hidden.has(layer.name))
  if (concealed.length > 0)
    throw new LayerChoice(
      `only hidden ${word}s of the file have rows, ${namesOf(concealed)}: name the one to import, as in layer=${truncate(concealed[0]!.name, MAX_CHARACTERS)}`,
      layersIn(concealed),
    )
  const others = layers.filter(({ count }) => count > 0)
  if (others.length === 0) throw new SurveyFileError('EMPTY_FILE', `the file has no ${word} with rows`)
  throw new SurveyFileError(
    'EMPTY_FILE',
    `the file has no points: its ${others.length === 1 ? `${word} is` : `${word}s are`} ${others.map(described).slice(0, MAX_NAMED).join(', ')}`,
  )
}

/** Points, any geometry, or a table that may have coordinate columns. */
const mayHoldPoints = ({ count, geometryType }: Layer): boolean =>
  count !== 0 &&
  (geometryType === undefined || /^(?:Multi)?Point|^Geometry(?!Collection)|^Unknown|^None/.test(geometryType))

const described = ({ name, geometryType }: Layer): string =>
  `"${truncate(name, MAX_CHARACTERS)}"${geometryType ? ` (${geometryType})` : ''}`

/** The names to choose from. */
const layersIn = (layers: readonly Layer[]): string[] =>
  layers.slice(0, MAX_LISTED).map(({ name }) => truncate(name, MAX_NAME))

/** Quoted names, at most a dozen. */
export function namesOf(layers: readonly { name: string }[]): string {
  const names = layers.slice(0, MAX_NAMED).map(({ name }) => `"${truncate(name, MAX_CHARACTERS)}"`)
  const more = layers.length - names.length
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '')
}
