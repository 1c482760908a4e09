/** A model on the contact sheet. `why` says what excuses its score, or what failed. */
export type Card = {
  name: string
  state: 'good' | 'excused' | 'failed' | 'refused'
  score?: number | undefined
  why: string
  /** The files of its worst side, and of all its sides. */
  card?: string | undefined
  sheet?: string | undefined
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** The contact sheet: every model with its worst side, the worst first. Its search finds names, states and reasons. */
export function sheetPage(cards: readonly Card[]): string {
  const sorted = [...cards].sort((one, other) => (one.score ?? 2) - (other.score ?? 2))
  const items = sorted.map(({ name, state, score, why, card, sheet }) => {
    const image = card ? `<img src="${encodeURIComponent(card)}" alt="" loading="lazy">` : ''
    const title = `${score?.toFixed(4) ?? ''} ${escaped(name)}`.trim()
    return `<li class="${state}" data-text="${escaped(`${name} ${state} ${why}`.toLowerCase())}">
<a${sheet ? ` href="${encodeURIComponent(sheet)}"` : ''}>${image}${title}</a><p>${escaped([state, why].filter(Boolean).join(': '))}</p></li>`
  })
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>GLB and USDZ</title>
<style>
body { font: 14px sans-serif; margin: 1rem }
ul { display: flex; flex-wrap: wrap; gap: 1rem; list-style: none; padding: 0 }
li { width: 480px } img { display: block } p { margin: 0 } .failed p { color: #b00 }
</style>
<label>Search <input type="search" autofocus></label> <output></output>
<p>Each model from its worst side: the GLB, the USDZ as USDLoader shows it, the USDZ completed.</p>
<ul>${items.join('\n')}</ul>
<script>
const models = [...document.querySelectorAll('li')]
const search = document.querySelector('input')
const show = () => {
  const words = search.value.toLowerCase().split(/\\s+/)
  for (const one of models) one.hidden = !words.every((word) => one.dataset.text.includes(word))
  document.querySelector('output').textContent = models.filter((one) => !one.hidden).length + ' of ' + models.length
}
search.addEventListener('input', show)
show()
</script></html>`
}
