import type { ModelViewerElement } from '@google/model-viewer'
import '@google/model-viewer'
import { REVISION } from 'three'

declare global {
  interface Window {
    /** What the viewer reads when an element of it is made. */
    ModelViewerElement?: Record<string, unknown>
  }
}

export type Viewer = InstanceType<typeof ModelViewerElement>

/** Where web/decoders.ts puts them. */
const DECODERS = `${import.meta.env.BASE_URL}assets/three-${REVISION}/`

/** To be called before the first <model-viewer> is made: its decoders come from this service alone. This file is large, and loaded by pages with a model. */
export function prepareViewer(): void {
  window.ModelViewerElement = {
    dracoDecoderLocation: DECODERS,
    ktx2TranscoderLocation: DECODERS,
    meshoptDecoderLocation: `${DECODERS}meshopt_decoder.js`,
  }
}
