import { MAX_ZOOM, WEB_MERCATOR } from '../schema.ts'

export const TILE_MATRIX_SET_URI = `http://www.opengis.net/def/tilematrixset/OGC/1.0/${WEB_MERCATOR}`
export const WEB_MERCATOR_CRS = 'http://www.opengis.net/def/crs/EPSG/0/3857'

/** Half the side of the square, in metres: half the equator. */
const HALF = 20_037_508.342789244
const PIXELS = 256
/** Metres of a pixel on the screen that scales are stated for (OGC 17-083r4, 6.2). */
const SCREEN_PIXEL = 0.000_28

/** The definition of WebMercatorQuad (OGC Two Dimensional Tile Matrix Set, 17-083r4, annex D). */
export function webMercatorQuad() {
  return {
    id: WEB_MERCATOR,
    title: 'Google Maps Compatible for the World',
    uri: TILE_MATRIX_SET_URI,
    crs: WEB_MERCATOR_CRS,
    orderedAxes: ['X', 'Y'],
    wellKnownScaleSet: 'http://www.opengis.net/def/wkss/OGC/1.0/GoogleMapsCompatible',
    tileMatrices: Array.from({ length: MAX_ZOOM + 1 }, (_, z) => {
      const cellSize = (2 * HALF) / PIXELS / 2 ** z
      return {
        id: String(z),
        scaleDenominator: cellSize / SCREEN_PIXEL,
        cellSize,
        cornerOfOrigin: 'topLeft',
        pointOfOrigin: [-HALF, HALF],
        tileWidth: PIXELS,
        tileHeight: PIXELS,
        matrixWidth: 2 ** z,
        matrixHeight: 2 ** z,
      }
    }),
  }
}
