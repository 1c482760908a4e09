import { type Description, resolved, type Schema } from './operations.ts'
import type { Random } from './random.ts'

/** Existing IDs by kind. */
export type Ids = Record<string, (string | number)[]>

/** The kind of ID for the name of a member or parameter. */
const idsByName: Record<string, string> = {
  playerId: 'players',
  aroundPlayerId: 'players',
  userId: 'users',
  appId: 'apps',
  miniGameTypeId: 'mini-game-types',
  zoneId: 'zones',
  gcpId: 'gcps',
  excludeGcpId: 'gcps',
  csvUploadId: 'csv',
  fileId: 'files',
  uploadedFileIds: 'files',
  fileUrl: 'addresses',
  url: 'addresses',
  token: 'tokens',
  code: 'codes',
}

/** Generates values that a schema allows, including its bounds. */
export function valuesOf(description: Description, ids: Ids, random: Random) {
  const textOf = (schema: Schema, name: string): string => {
    const { format, pattern = '', minLength = 0, maxLength = 40 } = schema
    if (format === 'date-time' || pattern.includes('T(?:'))
      return random.pick(['2026-01-31T12:00:00.000Z', '2020-02-29T23:59:59+14:00', '1970-01-01T00:00:00Z'])
    if (format === 'uri')
      return random.pick(['https://images.example/a.jpg', 'http://images.example/', 'https://x.example/%20'])
    if (format === 'email') return `a${random.below(1_000_000)}@team.example`
    if (format === 'uuid') return '018f0000-0000-7000-8000-000000000000'
    if (pattern.startsWith('^[+-]?(')) return random.pick(['0', '12.5', '-45.25', '1e1', '+90', '180'])
    if (pattern === '^[0-9]{6}$') return String(random.below(1_000_000)).padStart(6, '0')
    if (name === 'contentType') return random.pick(['text/plain', 'image/png', 'model/gltf-binary'])
    if (name === 'bbox') return random.pick(['-10,-10,10,10', '170,-10,-170,10', '0,0,0,0', '1,2'])
    if (name === 'datetime') return random.pick(['2020-01-01T00:00:00Z/..', '../..', '2026-01-01T00:00:00Z'])
    if (name === 'crs') return random.pick(['EPSG:4326', 'EPSG:3857', 'EPSG:32633', 'local'])
    if (random.chance(0.1)) return 'é'.repeat(Math.min(maxLength, 300))
    if (random.chance(0.1) && minLength > 0) return 'x'.repeat(minLength)
    return random.name()
  }

  const numberOf = ({ minimum = -1e6, maximum = 1e6 }: Schema, isWhole: boolean): number => {
    if (random.chance(0.1)) return minimum
    if (random.chance(0.1)) return maximum
    const low = Math.max(minimum, -1000)
    const value = low + (random.below(1000) / 1000) * (Math.min(maximum, 1000) - low)
    return isWhole ? Math.trunc(value) : value
  }

  const ring = () => {
    const x = random.below(300) - 150
    const y = random.below(120) - 60
    return [
      [x, y],
      [x + 1, y],
      [x + 1, y + 1],
      [x, y],
    ]
  }

  /** A value that the schema allows. @param name of its member */
  const value = (given: Schema, name = ''): unknown => {
    const schema = resolved(given, description)
    const { type, properties, items } = schema
    const known = ids[idsByName[name] ?? ''] ?? []
    if (known.length > 0 && type !== 'array' && random.chance(0.8)) {
      const id = random.pick(known)
      return type === 'string' ? String(id) : id
    }
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return random.pick(schema.enum)
    const kinds = schema.anyOf ?? schema.oneOf
    if (kinds) return value(random.pick(kinds), name)
    const kind = Array.isArray(type) ? random.pick(type) : type
    if (kind === 'null') return null
    if (kind === 'boolean') return random.chance(0.5)
    if (kind === 'integer' || kind === 'number') return numberOf(schema, kind === 'integer')
    if (kind === 'string') return textOf(schema, name)
    if (kind === 'array') {
      if (name === 'coordinates') return items?.items?.items?.items ? [[ring()]] : [ring()]
      const { minItems = 0, maxItems = 3 } = schema
      const count = Math.min(maxItems, minItems + random.below(3))
      return Array.from({ length: count }, () => value(items ?? {}, name))
    }
    if (properties) {
      const needed = new Set(schema.required)
      return Object.fromEntries(
        Object.entries(properties)
          .filter(([member]) => needed.has(member) || random.chance(0.5))
          .map(([member, described]) => [member, value(described, member)]),
      )
    }
    return kind === 'object' ? { [random.name()]: random.below(100) } : random.name()
  }
  return value
}
