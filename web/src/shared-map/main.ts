import '@fontsource-variable/ibm-plex-sans/wght.css'
import 'maplibre-gl/dist/maplibre-gl.css'
import '../theme/tokens.css'
import './shared-map.css'
import type { SharedMapView } from '@cairn/sdk'
import { loadBase } from '../map/base-map/drawn-base.ts'
import { createMap } from '../map/create-map.ts'
import { closePopup } from '../messages/service/shared-map-page.ts'
import { boundsOf } from './bounds-of.ts'
import { overlay } from './overlay.ts'
import { showPins } from './pins.ts'
import { fill } from './sources.ts'

/** The page of a shared map: draws its zones and pins beside the lists that the service has written. */

const dark = matchMedia('(prefers-color-scheme: dark)')
const followScheme = () => {
  document.documentElement.dataset.mantineColorScheme = dark.matches ? 'dark' : 'light'
}
followScheme()
dark.addEventListener('change', followScheme)

const container = document.getElementById('map')!
const view = JSON.parse(document.getElementById('view')!.textContent!) as SharedMapView
try {
  const drawnBelow = await loadBase()
  container.hidden = false
  createMap({
    container,
    overlay,
    start: boundsOf(view),
    label: view.title,
    closeLabel: closePopup[document.documentElement.lang],
    ...drawnBelow,
    onReady: (map) => {
      fill(map, view)
      showPins(map, view)
    },
  })
} catch {
  // The lists stay: without WebGL 2 or the service there is no map.
  container.hidden = true
}
