/** Decoration of the demo's park. Tree positions are computed, and the same in every browser. */
export const decoration: GeoJSON.FeatureCollection = {
  type: 'FeatureCollection',
  features: [
    path([-0.0057, 51.48], [-0.0031, 51.4787], [-0.0014, 51.4778], [0.0016, 51.4757], [0.0058, 51.4741]),
    path([0.0006, 51.4814], [0.0003, 51.4796], [-0.0014, 51.4778], [-0.0026, 51.4762], [-0.0044, 51.4743]),
    path([-0.0071, 51.4771], [-0.0044, 51.4768], [-0.0026, 51.4762], [0.0012, 51.4749], [0.0013, 51.4725]),
    path([0.0053, 51.4796], [0.0014, 51.4787], [0.0003, 51.4796]),
    path([0.0076, 51.4771], [0.0047, 51.4763], [0.0016, 51.4757], [0.0012, 51.4749]),
    area('water', [0.0021, 51.4742], [0.0026, 51.4746], [0.0034, 51.4745], [0.0036, 51.4741], [0.0029, 51.4738]),
    area('water', [0.0032, 51.4792], [0.0038, 51.4794], [0.0042, 51.4791], [0.0036, 51.4788]),
    ...grove(-0.0047, 51.4786, 14),
    ...grove(0.0041, 51.4774, 20),
    ...grove(-0.0008, 51.4742, 16),
    ...grove(-0.0053, 51.4759, 12),
    ...grove(0.0024, 51.4799, 10),
    ...grove(0.0052, 51.4752, 12),
  ],
}

function feature(kind: string, geometry: GeoJSON.Geometry): GeoJSON.Feature {
  return { type: 'Feature', properties: { kind }, geometry }
}

function path(...coordinates: [number, number][]) {
  return feature('path', { type: 'LineString', coordinates })
}

function area(kind: string, ...ring: [number, number][]) {
  return feature(kind, { type: 'Polygon', coordinates: [[...ring, ring[0]!]] })
}

/** Trees in a spiral by the golden angle. */
function grove(lon: number, lat: number, many: number) {
  return Array.from({ length: many }, (_, i) => {
    const [angle, far] = [i * 2.4, 0.00022 * Math.sqrt(i)]
    const coordinates = [lon + 1.6 * far * Math.cos(angle), lat + far * Math.sin(angle)]
    return feature('tree', { type: 'Point', coordinates })
  })
}
