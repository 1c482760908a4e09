import type { AlertTexts } from './english.ts'

const counted = (count = 0, one: string, many: string) => `${count} ${count === 1 ? one : many}`

const QUOTAS: Record<string, string> = {
  keys: 'API-Schlüsseln',
  webhooks: 'Webhooks',
  gameTypes: 'Minispielen',
  hiddenGameTypes: 'ausgeblendeten Minispielen',
  storageBytes: 'Bytes im Speicher der Spieler',
}

export const german: AlertTexts = {
  summaries: {
    reviews_waiting: ({ scores = 0, checkIns = 0 }) => {
      const held = [
        ...(scores > 0 ? [counted(scores, 'Ergebnis', 'Ergebnisse')] : []),
        ...(checkIns > 0 ? [counted(checkIns, 'Check-in', 'Check-ins')] : []),
      ]
      return `${held.join(' und ')} ${scores + checkIns === 1 ? 'wartet' : 'warten'} auf Prüfung`
    },
    webhook_failing: ({ webhooks }) => `Zustellungen an ${counted(webhooks, 'Webhook', 'Webhooks')} schlagen fehl`,
    webhook_disabled: ({ webhooks }) => `Cairn hat ${counted(webhooks, 'Webhook', 'Webhooks')} abgeschaltet`,
    quota_near: ({ used, most }, name) => `${used} von ${most} ${QUOTAS[name] ?? name} sind vergeben`,
    part_failed: (_, name) => `Die Komponente „${name}“ ist gestört`,
    disk_low: () => 'Der Datenträger des Datenordners ist fast voll',
    database_disk_low: () => 'Der Datenträger der Datenbank ist fast voll',
    backup_late: () => 'Die geplante Sicherung ist überfällig',
    backup_failed: () => 'Die letzte geplante Sicherung ist fehlgeschlagen',
    jobs_failed: ({ jobs }, name) =>
      `${counted(jobs, 'Auftrag', 'Aufträge')} der Warteschlange „${name}“ fehlgeschlagen`,
  },
  box: 'dieser Cairn-Installation',
  app: (name) => `der App „${name}“`,
  opened: (what) => `Neue Meldung ${what}:`,
  ended: (what) => `Eine Meldung ${what} ist beendet:`,
  openedAt: (time) => `Beginn: ${time}`,
  endedAt: (time) => `Ende:   ${time}`,
  endedSubject: (summary) => `Beendet: ${summary}`,
  toOperator: 'Sie erhalten diese E-Mail, weil Ihre Adresse in CAIRN_ALERT_EMAILS steht.',
  toTeam: 'Sie erhalten diese E-Mail, weil ein Admin der App Ihre Adresse eingetragen hat. Er kann sie hier entfernen:',
  testSubject: 'Test: Meldungen kommen hier an',
  test: (name) => `Dies ist ein Test. Meldungen der App „${name}“ gehen an diese Adresse.`,
  testSettings: 'Ein Admin der App kann das hier ändern:',
}
