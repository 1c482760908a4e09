import { columnsOf, type Role } from '../../layout/columns.ts'

/** Where the geometry says where a point is, fields of the same meaning do not count. */
const PLACE_ROLES: Role[] = [
  'latitude',
  'longitude',
  'latitudeSide',
  'longitudeSide',
  'position',
  'northing',
  'easting',
  'x',
  'y',
  'crs',
  'photoPosition',
]
const HEIGHT_ROLES: Role[] = ['h', 'altitude', 'z']

/** What the fields of features mean. */
export type AttributeWords = {
  /** Their names as header words: of those that the geometry overrules, words that mean nothing. */
  words: string[]
  hasHeights: boolean
  /** This service exported them: each height stands in a field, and texts are to come back to the letter. */
  isExported: boolean
  /** The fields that hold texts of such an export. */
  texts: Set<number>
}

const TEXT_ROLES: Role[] = ['title', 'description', 'gcpData']

export function attributeWords(names: readonly string[]): AttributeWords {
  const columns = columnsOf(names)
  const indexes = (roles: Role[]) => new Set(roles.flatMap((role) => columns[role]?.map(({ index }) => index) ?? []))
  const overruled = indexes(PLACE_ROLES)
  const isExported = columns.heightDatum !== undefined
  return {
    words: names.map((name, index) => (overruled.has(index) || (isExported && name === 'id') ? `field ${name}` : name)),
    hasHeights: [...indexes(HEIGHT_ROLES)].some((index) => !overruled.has(index)),
    isExported,
    texts: isExported ? indexes(TEXT_ROLES) : new Set(),
  }
}

/** Whether a field says that its file was exported here, also where it is empty. */
export const saysExported = (name: string): boolean => /^(?:heightDatum|hgtDatum)$/i.test(name)

/** The fields that stay where a file was exported here, although no point fills them: they tell it apart. */
export const marksExport = (name: string): boolean => saysExported(name) || /^(?:h|altitude)$/i.test(name)
