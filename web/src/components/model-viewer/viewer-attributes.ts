/** How every <model-viewer> of this service shows its model. Apart from viewer.ts, which is large and loaded on demand. */
export const viewerAttributes = {
  'camera-controls': '',
  'touch-action': 'pan-y',
  'interaction-prompt': 'none',
  'shadow-intensity': '1',
  'shadow-softness': '0.8',
  loading: 'eager',
}
