import { viewerAttributes } from '../components/model-viewer/viewer-attributes.ts'

/** The script of the AR page: draws the model that the service names, in place of its picture once it is there. */

const box = document.getElementById('model')!
const { glb, alt, failed } = box.dataset

const fail = () => {
  const sentence = document.createElement('p')
  sentence.textContent = failed!
  box.querySelector('model-viewer')?.remove()
  box.append(sentence)
}

try {
  const { prepareViewer } = await import('../components/model-viewer/viewer.ts')
  prepareViewer()
  const isMoving = !matchMedia('(prefers-reduced-motion: reduce)').matches
  const viewer = document.createElement('model-viewer')
  const attributes = {
    src: glb!,
    alt: alt!,
    ...viewerAttributes,
    ...(isMoving && { autoplay: '' }),
  }
  for (const [name, value] of Object.entries(attributes)) viewer.setAttribute(name, value)
  viewer.addEventListener('error', fail)
  viewer.addEventListener('load', () => {
    for (const picture of box.querySelectorAll('img')) picture.remove()
    box.dataset.state = 'drawn'
  })
  box.append(viewer)
} catch {
  fail()
}
