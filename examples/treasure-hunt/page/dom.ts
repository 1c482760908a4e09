/** The element of the page with this id. */
export const element = <Kind extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as Kind

let hide: ReturnType<typeof setTimeout> | undefined

/** Tells the player something for a moment; screen readers say it too. */
export function say(sentence: string) {
  const said = element('said')
  said.textContent = sentence
  said.classList.add('shown')
  clearTimeout(hide)
  hide = setTimeout(() => said.classList.remove('shown'), 5000)
}
