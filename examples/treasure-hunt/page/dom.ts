/** The element with this ID. */
export const element = <Kind extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as Kind

let hide: ReturnType<typeof setTimeout> | undefined

/** Shows a message for five seconds and announces it to screen readers. */
export function say(sentence: string) {
  const said = element('said')
  said.textContent = sentence
  said.classList.add('shown')
  clearTimeout(hide)
  hide = setTimeout(() => said.classList.remove('shown'), 5000)
}
