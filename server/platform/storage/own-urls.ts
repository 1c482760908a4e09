const PATH = '/files/'
const KEY_FORM = '[a-z0-9]{2}/[A-Za-z0-9_-]{22}(?:\\.[a-z0-9]{1,12})?'
const KEY = new RegExp(`^${KEY_FORM}$`)
const KEY_AT_END = new RegExp(`${PATH}(${KEY_FORM})$`)
const OWN_PATH = new RegExp(`^${PATH}${KEY_FORM}$`)
const WORLD_MAP = new RegExp(`("worldmapURL": *")(${PATH}${KEY_FORM}")`)

/** Whether this can be the key of an object; nothing else ever becomes a path. */
export const isKey = (text: string): boolean => KEY.test(text)

/** An address of a file of this service as it is kept, whatever the public address is. */
export const pathOf = (key: string): string => PATH + key

/** Whether an address is kept as a path of ours. */
export const isOwnPath = (address: string): boolean => OWN_PATH.test(address)

/** The key that an address would name if it were ours, under whatever public address it was given out. */
export const keyIn = (address: string): string | undefined => KEY_AT_END.exec(address)?.[1]

/** The key that an address names, if it is one of ours: by the address of the day, or by one given out before the service moved. @param isKnown whether something here has this key, which nobody can guess */
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
 * Addresses of files of this service are kept as paths (`/files/<key>`: SQL's `stored_address`, which every table that
 * has addresses passes them through) and written with the public address of the day when they are answered.
 */
export function createOwnUrls(publicUrl: () => string) {
  const written = <Stored extends string | null>(stored: Stored): Stored =>
    stored?.startsWith(PATH) ? ((publicUrl() + stored) as Stored) : stored

  /** The key that one of our addresses names: a path, or one that begins with the public address of the day. */
  const keyOf = (address: string): string | undefined => {
    const rest = address.startsWith(publicUrl()) ? address.slice(publicUrl().length) : address
    return OWN_PATH.test(rest) ? rest.slice(PATH.length) : undefined
  }

  return {
    publicUrl,

    /** An address as it is answered. */
    written,

    /** The same of several. */
    allWritten: (stored: string[]): string[] => stored.map(written),

    /** The address in the JSON of a pin's localizationData. */
    writtenWorldMap: (json: string): string => json.replace(WORLD_MAP, `$1${publicUrl().replaceAll('$', '$$$$')}$2`),

    /** All addresses of files that a record to be told names, at any depth: its members that end in `Url`. */
    writtenIn: <Value>(value: Value): Value => withAddresses(value, written),

    /** An address as it is kept: the path of one of ours by the address of the day, else as it came. */
    kept(address: string): string {
      const key = keyOf(address)
      return key === undefined ? address : pathOf(key)
    },

    /**
     * An address that comes back with a record: what is kept stays as it is where it names the same, be it by the
     * address of the day or by one of before, and whether or not its file is still there.
     * @param kept what the record has
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
