import { currentLocale } from '../../language/language.ts'

const whole = new Intl.NumberFormat(currentLocale())
const scale = ['B', 'kB', 'MB', 'GB', 'TB']

/** Formats a count or score for the user's locale. */
export const formatNumber = (n: number): string => whole.format(n)

/** Formats scores that stand below each other: with the decimals of the one that has the most, three at most. */
export function scoreFormat(scores: number[]): (score: number) => string {
  const decimals = scores.map(
    (score) => whole.formatToParts(score).find(({ type }) => type === 'fraction')?.value.length ?? 0,
  )
  const { format } = new Intl.NumberFormat(currentLocale(), { minimumFractionDigits: Math.max(0, ...decimals) })
  return format
}

/** Formats bytes in decimal units with three significant digits. */
export function formatBytes(n: number): string {
  const step = n < 1 ? 0 : Math.min(scale.length - 1, Math.floor(Math.log10(n) / 3))
  return `${new Intl.NumberFormat(currentLocale(), { maximumSignificantDigits: 3 }).format(n / 1000 ** step)} ${scale[step]}`
}

/** Formats a fraction as a percentage. */
export const formatPercent = (share: number): string =>
  new Intl.NumberFormat(currentLocale(), { style: 'percent', maximumSignificantDigits: 2 }).format(share)

/** Formats metres to the centimetre, and from 10 km on kilometres to 100 m. */
export function formatMetres(m: number): string {
  const [value, digits, unit] = Math.abs(m) < 10_000 ? [m, 2, 'm'] : [m / 1000, 1, 'km']
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return `${new Intl.NumberFormat(currentLocale(), options).format(value)} ${unit}`
}

/** Formats an accuracy in metres, to the millimetre. */
export const formatAccuracy = (m: number): string =>
  `${new Intl.NumberFormat(currentLocale(), { minimumFractionDigits: 2, maximumFractionDigits: 3 }).format(m)} m`

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
