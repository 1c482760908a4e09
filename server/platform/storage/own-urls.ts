const PATH = '/files/'
const KEY_FORM = '[a-z0-9]{2}/[A-Za-z0-9_-]{22}(?:\\.[a-z0-9]{1,12})?'
const KEY = new RegExp(`^${KEY_FORM}$`)
const KEY_AT_END = new RegExp(`${PATH}(${KEY_FORM})$`)
const OWN_PATH = new RegExp(`^${PATH}${KEY_FORM}$`)
const WORLD_MAP = new RegExp(`("worldmapURL": *")(${PATH}${KEY_FORM}")`)

/** Whether this has the form of a key; nothing else becomes a path. */
export const isKey = (text: string): boolean => KEY.test(text)

/** The stored form of a file URL, independent of the public address. */
export const pathOf = (key: string): string => PATH + key

/** Whether a URL is stored as a path of this service. */
export const isOwnPath = (address: string): boolean => OWN_PATH.test(address)

/** The key at the end of a URL, if it were ours, under any public address. */
export const keyIn = (address: string): string | undefined => KEY_AT_END.exec(address)?.[1]

/**
 * The key in a URL if it is ours: with the current public address, or with an earlier one. @param isKnown whether this
 * service knows the key, which nobody can guess
 */
export async function ownKey(
  address: string,
  { keyOf, isKnown }: { keyOf: (address: string) => string | undefined; isKnown: (key: string) => Promise<boolean> },
): Promise<string | undefined> {
  const own = keyOf(address)
  if (own !== undefined) return own
  const named = keyIn(address)
  return named !== undefined && (await isKnown(named)) ? named : undefined
}

export type OwnUrls = ReturnType<typeof createOwnUrls>

/**
 * File URLs of this service are stored as paths (`/files/<key>`; every table applies SQL's `stored_address`) and get
 * the current public address in responses.
 */
export function createOwnUrls(publicUrl: () => string) {
  const written = <Stored extends string | null>(stored: Stored): Stored =>
    stored?.startsWith(PATH) ? ((publicUrl() + stored) as Stored) : stored

  /** The key in one of our URLs: a path, or one with the current public address. */
  const keyOf = (address: string): string | undefined => {
    const rest = address.startsWith(publicUrl()) ? address.slice(publicUrl().length) : address
    return OWN_PATH.test(rest) ? rest.slice(PATH.length) : undefined
  }

  return {
    publicUrl,

    /** The URL for a response. */
    written,

    /** The same for several. */
    allWritten: (stored: string[]): string[] => stored.map(written),

    /** Replaces the URL in the JSON of a pin's localizationData. */
    writtenWorldMap: (json: string): string => json.replace(WORLD_MAP, `$1${publicUrl().replaceAll('$', '$$$$')}$2`),

    /** Replaces all file URLs in a record, at any depth: members that end in `Url`. */
    writtenIn: <Value>(value: Value): Value => withAddresses(value, written),

    /** The stored form of a URL: a path if it has the current public address, otherwise unchanged. */
    kept(address: string): string {
      const key = keyOf(address)
      return key === undefined ? address : pathOf(key)
    },

    /**
     * The stored form of a URL in an update: an equal stored one is kept, whether sent with the current or an earlier
     * public address, and even if its file is gone. @param kept the stored URLs of the record
     */
    unchanged<Given extends string | null | undefined>(given: Given, kept: (string | null)[]): Given | string {
      if (given == null) return given
      const key = keyIn(given)
      const names = (one: string | null) => one !== null && (written(one) === given || (key && pathOf(key) === one))
      return kept.find(names) ?? given
    },

    keyOf,
  }
}

function withAddresses<Value>(value: Value, written: (stored: string) => string, name = ''): Value {
  if (typeof value === 'string') return (/url$/i.test(name) && OWN_PATH.test(value) ? written(value) : value) as Value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => withAddresses(one, written, name.replace(/s$/, ''))) as Value
  return Object.fromEntries(
    Object.entries(value).map(([member, one]) => [member, withAddresses(one, written, member)]),
  ) as Value
}
