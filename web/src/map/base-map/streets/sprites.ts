import { isDarkNow } from '../../colours.ts'
import type { Icons } from '../../icons.ts'
import dark from './sprites/dark.png?url'
import places from './sprites/icons.json'
import light from './sprites/light.png?url'

/** The icons of the basemap in the current colour scheme, from one picture. @throws if the service does not answer */
export async function basemapIcons(): Promise<Icons> {
  const response = await fetch(isDarkNow() ? dark : light)
  if (!response.ok) throw new Error(`${response.status} for ${response.url}`)
  const picture = await createImageBitmap(await response.blob())
  const canvas = document.createElement('canvas')
  canvas.width = picture.width
  canvas.height = picture.height
  const pen = canvas.getContext('2d', { willReadFrequently: true })!
  pen.drawImage(picture, 0, 0)
  picture.close()
  return Object.fromEntries(
    Object.entries(places).map(([name, { x, y, width, height, pixelRatio }]) => [
      name,
      { image: pen.getImageData(x, y, width, height), pixelRatio },
    ]),
  )
}
