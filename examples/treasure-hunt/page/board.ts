import type { Cairn } from '@cairn/sdk'
import { element } from './dom.ts'

/** Shows the top ten and follows changes. A client key reads leaderboards and writes nothing. */
export async function showBoard({ leaderboards }: Cairn, playerId: () => string | undefined) {
  for await (const { leaderboard } of leaderboards.follow({ limit: 10 })) {
    element('board-empty').hidden = leaderboard.length > 0
    element('board').replaceChildren(
      ...leaderboard.map(({ ranking, playerDisplayName, playerScore, playerId: id }) => {
        const row = document.createElement('li')
        row.classList.toggle('mine', id === playerId())
        row.append(cell('rank', `${ranking}`), cell('name', playerDisplayName), cell('score', `${playerScore}`))
        return row
      }),
    )
    element('live').classList.add('on')
  }
}

function cell(kind: string, text: string) {
  const span = document.createElement('span')
  span.className = kind
  span.textContent = text
  return span
}
