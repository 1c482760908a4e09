import type { SharedMapView } from '@cairn/sdk'
import { type Map as MapLibre, Popup } from 'maplibre-gl'

type Pin = SharedMapView['pins'][number]

/** Opens a pin that is clicked on the map or in the list, and brings it into view. */
export function showPins(map: MapLibre, { pins }: SharedMapView): void {
  const popup = new Popup({ offset: 30, maxWidth: '18rem' })
  const open = (pin: Pin) => {
    const at: [number, number] = [pin.longitude, pin.latitude]
    popup.setLngLat(at).setDOMContent(contentOf(pin)).addTo(map)
    map.easeTo({ center: at, zoom: Math.max(map.getZoom(), 15), essential: true })
  }
  const openById = (id: number) => {
    const pin = pins.find((one) => one.id === id)
    if (pin) open(pin)
  }

  map.on('click', 'pins', ({ features }) => openById(features?.[0]?.properties.id))
  map.on('mouseenter', 'pins', () => map.getCanvas().style.setProperty('cursor', 'pointer'))
  map.on('mouseleave', 'pins', () => map.getCanvas().style.removeProperty('cursor'))
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-pin]'))
    link.addEventListener('click', (event) => {
      // The list stays where it is.
      event.preventDefault()
      history.replaceState(null, '', link.hash)
      openById(Number(link.dataset.pin))
    })
  const [, chosen] = /^#pin-(\d+)$/.exec(location.hash) ?? []
  if (chosen) openById(Number(chosen))
}

function contentOf({ id, title }: Pin): HTMLElement {
  const content = document.createElement('div')
  const name = document.createElement('strong')
  name.textContent = title
  content.append(name)
  const inAr = document.querySelector(`#pin-${id} .ar`)
  if (inAr) content.append(inAr.cloneNode(true))
  return content
}
