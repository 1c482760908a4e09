const ELLIPSOID =
  '(?:(?:ellips|elips)(?:oid(?:e|al|ale|alna|alny|en|om|u|ica|ico|ick[ay]|isch|ische|n[aiy])?)?|эллипсоид(?:ом|а|у|ная|альная)?)'
/** What follows a word for heights, which no word for errors, the geoid or a denial parts from the ellipsoid. */
const ABOVE_ELLIPSOID = new RegExp(
  `^(?!.*(?:rms|st(?:an)?d|dev|var|sigma|acc|prec|err|qual|geoid|separat|undul|antenn|pole|diff|not|nicht)).{0,24}${ELLIPSOID}(?:wgs84|grs80)?$`,
)
const BEFORE_HEIGHT = new RegExp(`^${ELLIPSOID}$`)

/** Whether a word for heights is beside the ellipsoid alone: `Ellipsoid distance` and `Ellipsoid name` are no heights. */
export const isAboveEllipsoid = (word: string, heightWords: ReadonlySet<string>): boolean =>
  /ell?ips|эллипс/.test(word) &&
  [...heightWords].some(
    (one) =>
      one.length > 2 &&
      !/ell/.test(one) &&
      ((word.startsWith(one) && ABOVE_ELLIPSOID.test(word.slice(one.length))) ||
        (word.endsWith(one) && BEFORE_HEIGHT.test(word.slice(0, -one.length)))),
  )
