/** One entry of a board as another service writes it. Its values are not checked yet. */
export type Entry = {
  /** The name of the player, by which it is matched. */
  name?: unknown
  /** The ID of the player in this app. */
  playerId?: unknown
  /** The ID of the player in the service that wrote the file, where several players may have one name. */
  sourceId?: unknown
  score: unknown
  /** When the score was reached. Without it, equal scores keep the order of the file. */
  at?: unknown
  /** The board of the entry, if a file may have several. */
  board?: unknown
  /** Why the service that wrote the file shows the entry to nobody. */
  hidden?: string | undefined
  /** What of the entry has no place here. */
  lost?: string | undefined
}

/** The members of a JSON object, or the cells of a row by the names of their columns. */
export type Fields = Record<string, unknown>

/** A form in which boards are exported. */
export type ScoreFormat = {
  name: 'cairn' | 'playfab' | 'nakama' | 'talo'
  /** Reads the rows of a table with these columns; undefined if it has another form. */
  table: (columns: ReadonlySet<string>) => ((cells: Fields) => Entry) | undefined
  /** Finds the entries of a JSON document; undefined if it has another form. */
  document: (document: unknown) => { entries: unknown[]; entry: (fields: Fields) => Entry } | undefined
}

/** The members of an object; none of anything else. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** A list whose first element has all of these members. An empty list qualifies. */
export function listOf(list: unknown, ...members: string[]): unknown[] | undefined {
  if (!Array.isArray(list)) return undefined
  const first = fieldsOf(list[0])
  return list.length === 0 || members.every((name) => name in first) ? list : undefined
}

/** A document that is itself such a list, with at least one element. */
export const bareList = (document: unknown, ...members: string[]): unknown[] | undefined =>
  Array.isArray(document) && document.length > 0 ? listOf(document, ...members) : undefined
