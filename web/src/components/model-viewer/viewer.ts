import type { ModelViewerElement } from '@google/model-viewer'
import '@google/model-viewer'
import { REVISION } from 'three'

declare global {
  interface Window {
    /** Read by the viewer when an element is created. */
    ModelViewerElement?: Record<string, unknown>
  }
}

export type Viewer = InstanceType<typeof ModelViewerElement>

/** Emitted by web/decoders.ts. */
const DECODERS = `${import.meta.env.BASE_URL}assets/three-${REVISION}/`

/** Must be called before the first <model-viewer> is created, so that decoders load from this service only. This module is large and loaded on demand. */
export function prepareViewer(): void {
  window.ModelViewerElement = {
    dracoDecoderLocation: DECODERS,
    ktx2TranscoderLocation: DECODERS,
    meshoptDecoderLocation: `${DECODERS}meshopt_decoder.js`,
  }
}
