export const standing = {
  title: 'Standing',
  all: 'All',
  states: { normal: 'Normal', hidden: 'Hidden', banned: 'Banned' },
  players: (n: number) => `${n} players`,
  hide: 'Hide…',
  ban: 'Ban…',
  restore: 'Restore',
  titles: {
    hidden: (who: string) => `Hide ${who}?`,
    banned: (who: string) => `Ban ${who}?`,
    normal: (who: string) => `Restore ${who}?`,
  },
  texts: {
    hidden:
      'Their scores leave every running leaderboard at once, and only they themselves see them. They can still play.',
    banned:
      'Their scores leave every running leaderboard at once. The service refuses new scores, and their player tokens end.',
    normal: 'Their scores come back to every running leaderboard at once.',
  },
  verbs: {
    hidden: (who: string) => `Hide ${who}`,
    banned: (who: string) => `Ban ${who}`,
    normal: (who: string) => `Restore ${who}`,
  },
  done: {
    hidden: (who: string) => `${who} hidden`,
    banned: (who: string) => `${who} banned`,
    normal: (who: string) => `${who} restored`,
  },
  reason: 'Reason',
  reasonHelp: 'Members of the app see it. The player does not.',
  noReason: 'No reason was given.',
  select: (name: string) => `Select ${name}`,
  selectAll: 'Select all players shown',
  selected: (n: number) => `${n} selected`,
  clear: 'Clear selection',
  noneOf: { hidden: 'No hidden players', banned: 'No banned players', normal: 'No players' },
}
