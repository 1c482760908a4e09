import { columnsOf, type Role } from '../../layout/columns.ts'

/** Fields that are ignored because the geometry has the same meaning. */
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

/** The meanings of the fields of features. */
export type AttributeWords = {
  /** Their names as header words; meaningless words for those that the geometry replaces. */
  words: string[]
  hasHeights: boolean
  /** Whether this service exported the file: heights are in fields, and texts are read exactly. */
  isExported: boolean
  /** The text fields of such an export. */
  texts: Set<number>
}

const TEXT_ROLES: Role[] = ['title', 'description', 'gcpData']

export function attributeWords(names: readonly string[]): AttributeWords {
  const columns = columnsOf(names)
  const indexes = (roles: Role[]) => new Set(roles.flatMap((role) => columns[role]?.map(({ index }) => index) ?? []))
  const overruled = indexes(PLACE_ROLES)
  const isExported = names.some(saysExported)
  return {
    words: names.map((name, index) => (overruled.has(index) || (isExported && name === 'id') ? `field ${name}` : name)),
    hasHeights: [...indexes(HEIGHT_ROLES)].some((index) => !overruled.has(index)),
    isExported,
    texts: isExported ? indexes(TEXT_ROLES) : new Set(),
  }
}

/** Whether a field identifies an export of this service, even if it is empty. */
export const saysExported = (name: string): boolean => /^(?:heightDatum|hgtDatum)$/i.test(name)

/** Fields of such an export that are kept although no point fills them: they identify it. */
export const marksExport = (name: string): boolean => saysExported(name) || /^(?:h|altitude)$/i.test(name)
