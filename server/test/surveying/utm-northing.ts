import geodesic from 'geographiclib-geodesic'

const { WGS84 } = geodesic.Geodesic
/** The UTM northing of a latitude on a zone's central meridian: the arc from the equator times 0.9996. */
export const utmNorthing = (latitude: number) => 0.9996 * WGS84.Inverse(0, 0, latitude, 0).s12!
