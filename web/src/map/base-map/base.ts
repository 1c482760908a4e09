import type { LayerSpecification, Map as MapLibre, StyleSpecification } from 'maplibre-gl'
import type { Colours } from '../colours.ts'
import type { Icons } from '../icons.ts'

/** What is drawn below the layers of a page, in the colours of the console. */
export type Base = {
  style: (colours: Colours) => StyleSpecification
  /** The layers of the style in other colours. */
  layers: (colours: Colours) => LayerSpecification[]
  /** The lowest layer with texts: what a page draws below `places` is inserted here, so that names stay legible. */
  texts: string
  /** Fills sources that are loaded after the style. Resolves once they have their data, or do without. */
  fill: (map: MapLibre) => Promise<void>
  /** Icons of the style in the current colour scheme. */
  icons?: () => Promise<Icons>
}
