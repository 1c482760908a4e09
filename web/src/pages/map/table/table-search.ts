/** The columns that the table is sorted by, `-` in front if descending. */
const COLUMNS = ['distance', 'title', 'kind', 'tag', 'zone', 'height', 'accuracy', 'updated'] as const
export type Column = (typeof COLUMNS)[number]
export type Sort = Column | `-${Column}`

/** Search parameters of the table of points. */
export type TableSearch = {
  /** Whether it is shown. */
  table?: true | undefined
  /** A part of a title, a zone or a kind, or a tag. */
  find?: string | undefined
  /** `gcp`, or the content type of pins. */
  kind?: string | undefined
  owner?: 'me' | undefined
  sort?: Sort | undefined
  /** From 1. */
  page?: number | undefined
}

/** Invalid values, and those that are the default, are dropped. */
export function parseTableSearch({ table, find, kind, owner, sort, page }: Record<string, unknown>): TableSearch {
  const column = COLUMNS.find((one) => one === sort || `-${one}` === sort)
  return {
    ...(table === true || table === 'true' ? { table: true } : {}),
    ...(find !== undefined && find !== '' ? { find: String(find) } : {}),
    ...(typeof kind === 'string' && kind !== '' ? { kind } : {}),
    ...(owner === 'me' ? { owner } : {}),
    ...(column && sort !== 'distance' ? { sort: sort as Sort } : {}),
    ...(Number.isInteger(page) && Number(page) > 1 ? { page: Number(page) } : {}),
  }
}
