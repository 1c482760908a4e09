import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { Viewer } from '../../components/model-viewer/viewer.ts'
import { PICTURES_KEY, STORAGE_KEY } from '../../session/session-token.ts'

/** How many are kept: a kilobyte each, the newest. */
const MOST = 200
/** Twice the size at which the list shows them. */
const PIXELS = 52

/** Small pictures of models by file, as data URLs, the newest last. */
type Pictures = [fileId: number, url: string][]

const QUERY = ['model-pictures']

function kept(): Pictures {
  try {
    return JSON.parse(localStorage.getItem(PICTURES_KEY) ?? '[]') as Pictures
  } catch {
    return []
  }
}

const nextFrame = () => new Promise(requestAnimationFrame)

/** The picture of a model that was looked at in this browser. */
export const useModelPicture = (fileId: number): string | undefined => {
  const { data } = useQuery({ queryKey: QUERY, queryFn: kept, networkMode: 'always' })
  return data?.find(([id]) => id === fileId)?.[1]
}

/** Keeps a small picture of what the viewer shows, in this browser until the user signs out. A viewer out of view shows nothing. */
export async function keepModelPicture(fileId: number, viewer: Viewer, queries: QueryClient): Promise<void> {
  // It draws a model in the frame after it is loaded.
  await nextFrame()
  await nextFrame()
  const image = await createImageBitmap(await viewer.toBlob({ mimeType: 'image/png' }))
  const canvas = document.createElement('canvas')
  canvas.width = PIXELS
  canvas.height = PIXELS
  const side = Math.min(image.width, image.height)
  const [left, top] = [(image.width - side) / 2, (image.height - side) / 2]
  const drawing = canvas.getContext('2d')!
  drawing.drawImage(image, left, top, side, side, 0, 0, PIXELS, PIXELS)
  image.close()
  const isEmpty = drawing.getImageData(0, 0, PIXELS, PIXELS).data.every((value) => value === 0)
  // Signed out meanwhile: the picture may be of a private model.
  if (isEmpty || localStorage.getItem(STORAGE_KEY) === null) return
  const others = kept().filter(([id]) => id !== fileId)
  const next = [...others, [fileId, canvas.toDataURL('image/webp', 0.8)] satisfies Pictures[number]].slice(-MOST)
  localStorage.setItem(PICTURES_KEY, JSON.stringify(next))
  queries.setQueryData(QUERY, next)
}
