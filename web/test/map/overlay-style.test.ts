import type { LayerSpecification, StyleSpecification } from 'maplibre-gl'
import { expect, test } from 'vitest'
import { type Fonts, withOverlay } from '../../src/map/overlay-style.ts'

const layer = (id: string, more: object = {}) => ({ id, type: 'background', ...more }) as LayerSpecification
const OURS: Fonts = { plain: ['Plex'], bold: ['Plex Bold'] }
const style: StyleSpecification = { version: 8, sources: {}, layers: [layer('ground'), layer('names'), layer('grid')] }
const page = {
  sources: { spots: { type: 'geojson' as const, data: { type: 'FeatureCollection' as const, features: [] } } },
  layers: () => [
    layer('fill', { metadata: { below: 'texts' } }),
    layer('pins'),
    layer('heat', { metadata: { below: 'texts' } }),
  ],
}

test('layers of a page that stay below the texts of a style are inserted there, the others are on top', () => {
  const { layers, sources } = withOverlay(style, page, OURS, 'names')
  expect(layers.map(({ id }) => id)).toEqual(['ground', 'fill', 'heat', 'names', 'grid', 'pins'])
  expect(Object.keys(sources)).toEqual(['spots'])
})

test('over a style of others all layers of a page are on top, in the fonts of its glyphs', () => {
  let given: Fonts | undefined
  const text = {
    id: 'town',
    type: 'symbol',
    source: 'towns',
    layout: { 'text-font': ['Noto Sans'] },
  } as LayerSpecification
  const layers = (fonts: Fonts) => {
    given = fonts
    return page.layers()
  }
  const drawn = withOverlay(
    { ...style, glyphs: 'https://example.com/{fontstack}/{range}', layers: [text] },
    { ...page, layers },
    OURS,
  )
  expect(drawn.layers.map(({ id }) => id)).toEqual(['town', 'fill', 'pins', 'heat'])
  expect(given).toEqual({ plain: ['Noto Sans'], bold: ['Noto Sans'] })
  withOverlay(style, { ...page, layers }, OURS)
  expect(given).toEqual(OURS)
})
