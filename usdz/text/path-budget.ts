import { tooLarge } from '../errors.ts'

/** The largest number of characters in the paths of all prims, some times that of the largest scenes in use. */
const mostCharacters = 100_000_000

/** Counts the characters of paths: a few long names make many long paths. */
export function pathBudget() {
  let left = mostCharacters
  /** @throws ConversionError when there are too many. */
  return (path: string): void => {
    left -= path.length
    if (left < 0) throw tooLarge(`The paths of the package have more than ${mostCharacters} characters.`)
  }
}
