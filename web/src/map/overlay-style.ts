import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl'

export type Fonts = { plain: string[]; bold: string[] }

type Over = { sources: Record<string, SourceSpecification>; layers: (fonts: Fonts) => LayerSpecification[] }

/**
 * A style with the sources and layers of a page. The map loads all of them at once: sources that are added to a loaded style
 * request their tiles two frames later.
 * @param ours the fonts of the page, for a style without glyphs
 * @param texts the layer below which a layer with `below: 'texts'` in its metadata is drawn; undefined for none
 */
export function withOverlay(
  style: StyleSpecification,
  { sources, layers }: Over,
  ours: Fonts,
  texts?: string,
): StyleSpecification {
  const over = layers(fontsOf(style) ?? ours)
  const at = style.layers.findIndex(({ id }) => id === texts)
  const [below, above] = at < 0 ? [[], over] : [over.filter(isBelowTexts), over.filter((one) => !isBelowTexts(one))]
  const split = at < 0 ? style.layers.length : at
  return {
    ...style,
    sources: { ...style.sources, ...sources },
    layers: [...style.layers.slice(0, split), ...below, ...style.layers.slice(split), ...above],
  }
}

const isBelowTexts = ({ metadata }: LayerSpecification) =>
  (metadata as { below?: string } | undefined)?.below === 'texts'

/** The fonts of a style with its own glyphs, which has no other fonts. */
function fontsOf({ glyphs, layers }: StyleSpecification): Fonts | undefined {
  if (!glyphs) return undefined
  const fonts = layers.map((layer) => (layer.type === 'symbol' ? layer.layout?.['text-font'] : undefined))
  const isList = (one: unknown): one is string[] =>
    Array.isArray(one) && one[0] !== 'literal' && one.every((name) => typeof name === 'string')
  const font = fonts.find(isList)
  return font && { plain: font, bold: font }
}
