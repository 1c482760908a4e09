import type { z } from 'zod'
import { LISTED_SYSTEMS } from '../crs/systems.ts'
import { REQUIRED, receivable, receivableNames, type WriteKind } from '../edit/receivables.ts'
import { type Property, properties } from '../query/properties.ts'
import { sortablesOf } from '../query/sorting.ts'
import { type CollectionId, CRS84, collectionIds, collections, type Link } from '../schema.ts'
import { apiDocument, jsonSchema } from './api-document.ts'
import { API_TYPE, GEOJSON_TYPE, HTML_TYPE, JSON_TYPE, SCHEMA_TYPE } from './media-types.ts'

const features = 'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf'
const systems = 'http://www.opengis.net/spec/ogcapi-features-2/1.0/conf'
const filtering = 'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf'
/** The draft of part 5, whose classes clients look for. */
const draftSchemas = 'http://www.opengis.net/spec/ogcapi-features-5/1.0/conf'
/** Part 5 as published (23-058r2), which is also part 3 of Common. */
const schemas = 'http://www.opengis.net/spec/ogcapi-common-3/1.0/conf'
const tiles = 'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf'
const editing = 'http://www.opengis.net/spec/ogcapi-features-4/1.0/conf'
const sorting = 'http://www.opengis.net/spec/ogcapi-features-8/1.0/conf'
const cql2 = 'http://www.opengis.net/spec/cql2/1.0/conf'
const conformsTo = [
  `${features}/core`,
  `${features}/oas30`,
  `${features}/geojson`,
  `${features}/html`,
  `${systems}/crs`,
  `${filtering}/queryables`,
  `${filtering}/queryables-query-parameters`,
  `${filtering}/filter`,
  `${filtering}/features-filter`,
  `${cql2}/cql2-text`,
  `${cql2}/cql2-json`,
  `${cql2}/basic-cql2`,
  `${cql2}/advanced-comparison-operators`,
  `${cql2}/property-property`,
  `${cql2}/basic-spatial-functions`,
  `${sorting}/sortables`,
  `${sorting}/sorting`,
  `${sorting}/features-sorting`,
  ...[
    'schemas',
    'core-roles-features',
    'feature-references',
    'returnables-and-receivables',
    'queryables',
    'sortables',
  ].map((name) => `${draftSchemas}/${name}`),
  ...['schemas', 'advanced-property-roles', 'references', 'queryables', 'sortables'].map(
    (name) => `${schemas}/${name}`,
  ),
  ...['core', 'tileset', 'tilesets-list', 'geodata-tilesets', 'mvt'].map((name) => `${tiles}/${name}`),
  `${editing}/create-replace-delete`,
  `${editing}/update`,
  `${editing}/features`,
  `${editing}/optimistic-locking-etags`,
]

/** Where the relations of links begin that OGC has registered. */
const OGC_REL = 'http://www.opengis.net/def/rel/ogc/1.0'

const EARTH: Extent = [-180, -90, 180, 90]

export type Documents = ReturnType<typeof documents>

type Extent = [west: number, south: number, east: number, north: number]

/** The documents that lead a client to the features (OGC API Features, 17-069r4). @param base the address of /ogc @param extentOf where the features of a collection lie, if that is known */
export function documents(base: () => string, extentOf: (id: CollectionId) => Promise<Extent | undefined>) {
  const link = (rel: string, path: string, type: string, title?: string): Link => ({
    href: base() + path,
    rel,
    type,
    ...(title && { title }),
  })

  /** The same document as a page for people. */
  const alternate = (path: string): Link =>
    link('alternate', `${path}${path.includes('?') ? '&' : '?'}f=html`, HTML_TYPE, 'For people')

  const schemasOf = (id: CollectionId) =>
    (['queryables', 'sortables', 'schema'] as const).map((name) =>
      link(
        `${OGC_REL}/${name}`,
        `/collections/${id}/${name}`,
        SCHEMA_TYPE,
        `${name[0]!.toUpperCase()}${name.slice(1)}`,
      ),
    )

  const describe = async (id: CollectionId) => {
    const { title, description } = collections[id]
    const path = `/collections/${id}`
    return {
      id,
      title,
      description,
      itemType: 'feature' as const,
      extent: {
        spatial: { bbox: [(await extentOf(id)) ?? EARTH], crs: CRS84 },
        temporal: {
          interval: [[null, null]],
          trs: 'http://www.opengis.net/def/uom/ISO-8601/0/Gregorian',
        },
      },
      crs: [CRS84, '#/crs'],
      storageCrs: CRS84,
      links: [
        link('self', path, JSON_TYPE, title),
        alternate(path),
        link('items', `${path}/items`, GEOJSON_TYPE, `${title} as GeoJSON`),
        link('items', `${path}/items?f=html`, HTML_TYPE, `${title} for people`),
        ...schemasOf(id),
        // In this spelling: GDAL 3.6 knows no other, though relations have no case (RFC 8288, 2.1.1).
        link('describedBy', `${path}/geojson-schema`, SCHEMA_TYPE, 'Schema of a feature in GeoJSON'),
        link(`${OGC_REL}/tilesets-vector`, `${path}/tiles`, JSON_TYPE, 'Vector tiles'),
        link('parent', '/collections', JSON_TYPE),
      ],
    }
  }

  const schemaAt = (path: string, title: string) => ({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: base() + path,
    type: 'object',
    title,
  })

  return {
    landing: () => ({
      title: 'Cairn',
      description: 'Pins, ground control points and zones, for maps and GIS',
      links: [
        link('self', '', JSON_TYPE, 'This document'),
        alternate(''),
        link('service-desc', '/api', API_TYPE, 'OpenAPI description of this interface'),
        {
          href: `${base().replace(/\/ogc$/, '')}/docs/`,
          rel: 'service-doc',
          type: 'text/html',
          title: 'Documentation of the whole service',
        },
        link('conformance', '/conformance', JSON_TYPE, 'Conformance classes'),
        link('data', '/collections', JSON_TYPE, 'Collections'),
        link(`${OGC_REL}/tiling-schemes`, '/tileMatrixSets', JSON_TYPE, 'Tile matrix sets'),
      ],
    }),
    conformance: () => ({ conformsTo }),
    collections: async () => ({
      crs: LISTED_SYSTEMS,
      links: [link('self', '/collections', JSON_TYPE), alternate('/collections')],
      collections: await Promise.all(collectionIds.map(describe)),
    }),
    collection: describe,
    /** The header `Link` of the features of a collection (part 3, 19-079r2; part 8, 24-030). */
    featureLinks: (id: CollectionId) =>
      schemasOf(id)
        .map(({ href, rel, type }) => `<${href}>; rel="${rel}"; type="${type}"`)
        .join(', '),
    /** By which properties features can be chosen, as a JSON schema (OGC API Features part 3, 19-079r2). */
    queryables: (id: CollectionId) => ({
      ...schemaAt(`/collections/${id}/queryables`, collections[id].title),
      properties: {
        geometry: { format: collections[id].geometry, 'x-ogc-role': 'primary-geometry' },
        ...Object.fromEntries(Object.keys(collections[id].filters).map((name) => [name, queryable(id, name)])),
      },
      additionalProperties: false,
    }),
    /** By which properties features can be sorted, as a JSON schema (OGC API Features part 8, 24-030). */
    sortables: (id: CollectionId) => ({
      ...schemaAt(`/collections/${id}/sortables`, collections[id].title),
      properties: Object.fromEntries(sortablesOf(id).map((name) => [name, queryable(id, name)])),
      additionalProperties: false,
    }),
    /**
     * What features have, as a JSON schema of properties and geometry side by side (OGC API Features part 5, 23-058r2).
     * Read by QGIS from 3.44 on, which finds the value of each in the properties of a feature: so the id is there too.
     * @param kind the schema of such requests instead, as part 4 has it
     */
    schema: (id: CollectionId, kind?: WriteKind) => {
      const names = kind ? receivableNames(id, kind) : Object.keys(properties[id])
      return {
        ...schemaAt(`/collections/${id}/schema`, collections[id].title),
        properties: {
          ...Object.fromEntries(
            names.map((name, i) => [name, { ...receivable(id, name), 'x-ogc-propertySeq': i + 1 }]),
          ),
          geometry: {
            title: 'Geometry',
            // Not geometry-point, which QGIS takes to mean without heights.
            format: 'geometry-any',
            'x-ogc-role': 'primary-geometry',
            'x-ogc-propertySeq': names.length + 1,
          },
        },
        ...(kind && kind !== 'update' && { required: [...REQUIRED[id], ...(id === 'pins' ? ['geometry'] : [])] }),
        additionalProperties: false,
      }
    },
    /**
     * What a feature is in GeoJSON, as a JSON schema that GDAL reads. Types stand alone, as GDAL reads no lists of them:
     * any value may be null all the same.
     */
    geojsonSchema: (id: CollectionId) => ({
      ...schemaAt(`/collections/${id}/geojson-schema`, `${collections[id].title}: a feature in GeoJSON`),
      properties: {
        type: { type: 'string', enum: ['Feature'] },
        id: { type: 'integer' },
        geometry: {},
        properties: { type: 'object', properties: Object.fromEntries(propertiesOf(id)) },
      },
    }),
    api: () => apiDocument(base()),
    link,
    alternate,
    base,
  }
}

const filtersOf = (id: CollectionId): Record<string, z.ZodType> => collections[id].filters

/** A property that features are chosen or sorted by: described as they have it, with the limits of the parameter. */
const queryable = (id: CollectionId, name: string) => ({
  ...properties[id][name]!.property,
  ...jsonSchema(filtersOf(id)[name]!),
})

const propertiesOf = (id: CollectionId): [string, Property][] =>
  Object.entries(properties[id]).map(([name, { property }]) => [name, property])
