import { currentLocale } from '../../language/language.ts'

// Made once: to make one takes as long as to format forty numbers.
const numberFormat = (options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(currentLocale(), options)
const whole = numberFormat()
const significant = numberFormat({ maximumSignificantDigits: 3 })
const percent = numberFormat({ style: 'percent', maximumSignificantDigits: 2 })
const centimetres = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2 })
const millimetres = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 3 })
const tenths = numberFormat({ minimumFractionDigits: 1, maximumFractionDigits: 1 })
const scale = ['B', 'kB', 'MB', 'GB', 'TB']

/** Formats a count or score for the user's locale. */
export const formatNumber = (n: number): string => whole.format(n)

/** Formats scores that stand below each other: with the decimals of the one that has the most, three at most. */
export function scoreFormat(scores: number[]): (score: number) => string {
  const decimals = scores.map(
    (score) => whole.formatToParts(score).find(({ type }) => type === 'fraction')?.value.length ?? 0,
  )
  return numberFormat({ minimumFractionDigits: Math.max(0, ...decimals) }).format
}

/** Formats bytes in decimal units with three significant digits. */
export function formatBytes(n: number): string {
  const step = n < 1 ? 0 : Math.min(scale.length - 1, Math.floor(Math.log10(n) / 3))
  return `${significant.format(n / 1000 ** step)} ${scale[step]}`
}

/** Formats a fraction as a percentage. */
export const formatPercent = (share: number): string => percent.format(share)

/** Formats metres to the centimetre, and from 10 km on kilometres to 100 m. */
export const formatMetres = (m: number): string =>
  Math.abs(m) < 10_000 ? `${centimetres.format(m)} m` : `${tenths.format(m / 1000)} km`

/** Formats an accuracy in metres, to the millimetre. */
export const formatAccuracy = (m: number): string => `${millimetres.format(m)} m`

/** Formats coordinates in degrees, latitude first. */
export const formatCoordinates = (latitude: number, longitude: number): string =>
  `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`

/** The service returns at most this many search results. */
export const SEARCH_LIMIT = 1000
/** With a filter, the service counts up to this number. */
export const COUNT_LIMIT = 10_000
/** Formats the total of a list: "1,000+" if the service stopped counting at `countLimit`. */
export const formatTotal = (total: number, countLimit?: number): string =>
  total === countLimit ? `${formatNumber(total)}+` : formatNumber(total)
