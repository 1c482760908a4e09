import { expect, test } from 'vitest'
import { spotsOfTiles, type TileFeature, withoutGcps } from '../../src/pages/map/layers/tile-spots.ts'

const cluster = (lat: number, lon: number, count: number, zoom = 8): TileFeature => ({
  ...{ lat, lon },
  properties: { cluster: true, point_count: count, expansion_zoom: zoom + 2 },
})
const gcp = (lat: number, lon: number, id: number): TileFeature => ({ lat, lon, id, properties: { title: `P${id}` } })

test('pins of control points count as control points only, in the cell that both are in', () => {
  const pins = spotsOfTiles('pins', [cluster(51.45, -2.6, 2706), cluster(48.2, 16.4, 12), cluster(40, 10, 5)])
  const gcps = spotsOfTiles('gcps', [cluster(51.45, -2.6, 333), gcp(48.2, 16.4, 7), cluster(40, 10, 5)])
  expect(withoutGcps(pins, gcps).map(({ lat, count }) => [lat, count])).toEqual([
    [51.45, 2373],
    [48.2, 11],
  ])
})

test('a single pin of a control point is left to the control point, and a place that is seen twice is one', () => {
  const features = [
    { lat: 1, lon: 2, id: 4, properties: { title: 'Bell', contentType: 'AUDIO' } },
    { lat: 1, lon: 2, id: 4, properties: { title: 'Bell', contentType: 'AUDIO' } },
    { lat: 1, lon: 2, id: 5, properties: { title: 'P5', gcpId: 9 } },
  ]
  const spots = spotsOfTiles('pins', features)
  expect(spots).toEqual([{ kind: 'pin', id: '4', title: 'Bell', lat: 1, lon: 2, content: 'AUDIO', tag: null }])
  expect(withoutGcps(spots, [])).toEqual(spots)
})

test('where a deeper tile has arrived, the cluster of the tile that stood in for it is left out', () => {
  const standIn = [cluster(51.45, -2.6, 2706, 8), cluster(48.2, 16.4, 12, 8), cluster(40, 10, 5, 8)]
  const arrived = [cluster(51.451, -2.601, 2000, 9), cluster(51.46, -2.61, 706, 9), gcp(48.201, 16.401, 7)]
  const counts = spotsOfTiles('gcps', [...standIn, ...arrived]).map(({ id, count = id }) => count)
  expect(counts).toEqual([5, 2000, 706, '7'])
})
