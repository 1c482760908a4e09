/** A layer or sheet of a file. */
export type Layer = {
  name: string
  /** As OGR names it: `Point`, `PointZ`, `PointM`, `LineString`, `Geometry` where it may be any, or undefined for a table without geometry. */
  geometryType: string | undefined
  /** The number of features that it declares. */
  count: number
  /** The reference system of its geometry as WKT 2 (ISO 19162:2019), if it names one. */
  crs: string | undefined
  /** The same as `EPSG:n`, if that is what the layer says. */
  code: string | undefined
  fields: { name: string; type: string }[]
}

type Described = {
  layers?: {
    name: string
    featureCount: number
    fields: { name: string; type: string }[]
    geometryFields?: {
      type: string
      coordinateSystem?: { wkt: string; projjson?: { id?: { authority: string; code: number | string } } } | null
    }[]
  }[]
}

/** The layers in what GDALVectorInfo writes with `-json` (its schema is ogrinfo_output.schema.json). */
export const layersIn = (text: string): Layer[] =>
  ((JSON.parse(text) as Described).layers ?? []).map(({ name, featureCount, fields, geometryFields }) => {
    const geometry = geometryFields?.[0]
    const system = geometry?.coordinateSystem
    const id = system?.projjson?.id
    return {
      name,
      geometryType: geometry?.type,
      count: featureCount,
      crs: system?.wkt,
      code: id?.authority === 'EPSG' ? `EPSG:${id.code}` : undefined,
      fields: fields.map((field) => ({ name: field.name, type: field.type })),
    }
  })
