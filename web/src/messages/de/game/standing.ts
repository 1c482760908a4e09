export const standing = {
  title: 'Status',
  all: 'Alle',
  states: { normal: 'Normal', hidden: 'Ausgeblendet', banned: 'Gesperrt' },
  players: (n: number) => `${n} Spieler`,
  hide: 'Ausblenden…',
  ban: 'Sperren…',
  restore: 'Freigeben',
  titles: {
    hidden: (who: string) => `${who} ausblenden?`,
    banned: (who: string) => `${who} sperren?`,
    normal: (who: string) => `${who} freigeben?`,
  },
  texts: {
    hidden:
      'Die Ergebnisse verschwinden sofort aus allen laufenden Ranglisten und sind nur noch für die Betroffenen selbst sichtbar. Spielen bleibt möglich.',
    banned:
      'Die Ergebnisse verschwinden sofort aus allen laufenden Ranglisten. Der Dienst weist neue Ergebnisse ab, und die Spieler-Tokens werden ungültig.',
    normal: 'Die Ergebnisse kehren sofort in alle laufenden Ranglisten zurück.',
  },
  verbs: {
    hidden: (who: string) => `${who} ausblenden`,
    banned: (who: string) => `${who} sperren`,
    normal: (who: string) => `${who} freigeben`,
  },
  done: {
    hidden: (who: string) => `${who} ausgeblendet`,
    banned: (who: string) => `${who} gesperrt`,
    normal: (who: string) => `${who} freigegeben`,
  },
  reason: 'Grund',
  reasonHelp: 'Sichtbar für Mitglieder der App, nicht für Spieler.',
  noReason: 'Kein Grund angegeben.',
  select: (name: string) => `${name} auswählen`,
  selectAll: 'Alle gezeigten Spieler auswählen',
  selected: (n: number) => `${n} ausgewählt`,
  clear: 'Auswahl aufheben',
  noneOf: { hidden: 'Keine ausgeblendeten Spieler', banned: 'Keine gesperrten Spieler', normal: 'Keine Spieler' },
}
