/** The limits of the service by their setting: name and description. */
export const limits: Record<string, [name: string, description: string]> = {
  CAIRN_LIMIT_KEY_PER_MINUTE: ['Anfragen mit App-Schlüssel', 'Je App; jeder weitere Schlüssel hat seine eigenen'],
  CAIRN_LIMIT_PLAYER_PER_MINUTE: ['Anfragen eines Spielers', 'Je Spieler, mit Spieler-Tokens'],
  CAIRN_LIMIT_USER_PER_MINUTE: ['Anfragen eines Benutzers', 'Je Benutzer, über alle Anmeldungen'],
  CAIRN_LIMIT_ADDRESS_PER_MINUTE: [
    'Anfragen von einer Adresse',
    'Je Adresse ohne gültige Anmeldung oder nur mit Client-Schlüssel (bei IPv6 je /64)',
  ],
  CAIRN_LIMIT_EXCHANGES_PER_MINUTE: ['Fehlgeschlagene Anmeldungen', 'Je Adresse'],
  CAIRN_LIMIT_UPLOADS_PER_HOUR: [
    'Uploads',
    'Je Adresse ohne gültige Anmeldung; für Benutzer und Apps gilt das Zehnfache',
  ],
  CAIRN_LIMIT_UPLOAD_BYTES_PER_HOUR: [
    'Hochgeladene Daten',
    'Je Adresse ohne gültige Anmeldung; für Benutzer und Apps gilt das Zehnfache',
  ],
  CAIRN_LIMIT_UPLOAD_BYTES_PER_DAY: [
    'Hochgeladene Daten aller Clients',
    'Alle zusammen, je Tag in UTC; darüber werden Uploads mit 507 abgelehnt',
  ],
  CAIRN_DISK_RESERVE_BYTES: [
    'Plattenreserve',
    'Freier Platz auf der Platte des Datenordners; darunter werden Uploads mit 507 abgelehnt',
  ],
  CAIRN_DATABASE_RESERVE_BYTES: [
    'Plattenreserve der Datenbank',
    'Freier Platz auf der Platte der Datenbank; darunter werden Schreibzugriffe mit 507 abgelehnt',
  ],
  CAIRN_QUOTA_APPS: ['Apps eines Benutzers', 'Darüber 409; für Ops unbegrenzt'],
  CAIRN_QUOTA_KEYS: ['Schlüssel einer App', 'Gültige, auch solche in der Übergangsfrist; darüber 409'],
  CAIRN_QUOTA_WEBHOOKS: ['Webhooks einer App', 'Darüber 409'],
  CAIRN_QUOTA_FENCES: ['Geozäune einer App', 'Darüber 409'],
  CAIRN_QUOTA_SEASONS: ['Saisons einer App', 'Einschließlich beendeter; darüber 409'],
  CAIRN_QUOTA_HELD_SCORES: ['Zurückgehaltene Ergebnisse einer App', 'Geprüfte machen Platz; darüber 409'],
  CAIRN_QUOTA_GAME_TYPES: ['Minispiele einer App', 'Und ebenso viele ausgeblendete; darüber 409'],
  CAIRN_QUOTA_ZONES: ['Zonen eines Benutzers', 'Darüber 409; für Ops unbegrenzt'],
  CAIRN_QUOTA_ZONE_POSITIONS: ['Stützpunkte der Zonen eines Benutzers', 'Alle Grenzen zusammen; darüber 409'],
  CAIRN_QUOTA_IMPORTS: ['Importe eines Benutzers', 'Wartende und laufende; darüber 429'],
  CAIRN_QUOTA_PLAYER_KEYS: ['Speichereinträge eines Spielers', 'Je Eintrag bis zu 64 KiB; darüber 409'],
  CAIRN_QUOTA_STORAGE_BYTES: ['Spielerspeicher einer App', 'Alle Spieler zusammen; darüber 409'],
  CAIRN_UPLOAD_MAX_BYTES: ['Größte Datei', 'Ein Upload oder ein Modell, das konvertiert wird'],
  CAIRN_UPLOAD_MAX_FILES: ['Dateien in einem Upload', 'In einem Formular'],
  CAIRN_RESUMABLE_MAX_BYTES: [
    'Größte Datei mit Fortsetzung',
    'Mit Anmeldung oder App-Schlüssel; sonst gilt die größte Datei',
  ],
  CAIRN_CONVERT_SECONDS: ['Dauer einer Konvertierung', 'Danach schlägt die Konvertierung fehl'],
  CAIRN_SLOW_BODY_SECONDS: [
    'Langsame Clients',
    'Über diese Zeit muss ein Client im Mittel mindestens 1 KiB je Sekunde senden, über die doppelte ebenso viel empfangen',
  ],
  CAIRN_DRAIN_SECONDS: ['Auslaufen', 'Wie lange der Prozess nach dem Stoppsignal noch Anfragen annimmt'],
  CAIRN_APRIL_TAG_METRES: [
    'Abstand gleicher AprilTags',
    'Zwei Passpunkte, die näher beieinander liegen, können nicht denselben Tag haben',
  ],
  CAIRN_FENCE_BYTES: [
    'Arbeitsspeicher für Geozäune',
    'Darüber werden die am längsten unbenutzten bei Bedarf neu geladen',
  ],
  CAIRN_RANK_BYTES: ['Arbeitsspeicher für Ranglisten', 'Darüber kommen Ränge aus der Datenbank'],
  CAIRN_PIN_INDEX_BYTES: [
    'Pin-Index',
    'Arbeitsspeicher in jedem Prozess; passen die Pins nicht hinein, sucht die Datenbank',
  ],
  CAIRN_PIN_ANSWER_BYTES: ['Pin-Datensätze', 'Arbeitsspeicher in jedem Prozess für kürzlich gelesene Pins'],
  CAIRN_TILE_BYTES: [
    'Punkte von Vektorkacheln',
    'Arbeitsspeicher in jedem Prozess für die Punkte einer Sammlung; passt sie nicht hinein, liefern ihre Kacheln 503',
  ],
  CAIRN_CODE_SECONDS: ['Gültigkeit eines sechsstelligen Codes', 'Danach ist der Code abgelaufen (EXPIRED)'],
  CAIRN_CODE_RISK: [
    'Risiko eines erratenen Codes',
    'Zulässig in einem Codebereich; bestimmt, wie viele falsche Codes erlaubt sind',
  ],
  CAIRN_SCORE_HOOK_SECONDS: [
    'Zeit eines Score-Hooks',
    'Ohne brauchbare Antwort entscheidet das Feld `onFailure` des Hooks',
  ],
  CAIRN_WEBHOOK_RETRY_SECONDS: [
    'Erste Wartezeit eines Webhooks',
    'Nach einer fehlgeschlagenen Zustellung; jede weitere ist viermal so lang',
  ],
  CAIRN_WEBHOOK_CONCURRENCY: ['Gleichzeitige Zustellungen', 'An einen Webhook, aus einem Prozess'],
  CAIRN_WEBHOOK_RATE: ['Zustellungen', 'An einen Webhook, aus einem Prozess'],
  CAIRN_WEBHOOK_LOG_DAYS: [
    'Aufbewahrung von Zustellungen',
    'Im Protokoll, und offene Zustellungen eines abgeschalteten Webhooks',
  ],
  CAIRN_WEBHOOK_LOG_ROWS: ['Zeilen eines Zustellprotokolls', 'Je Webhook; die ältesten werden zuerst gelöscht'],
  CAIRN_WEBHOOK_PENDING: [
    'Offene Zustellungen eines Webhooks',
    'Darüber wird der Webhook abgeschaltet, und sie werden gelöscht',
  ],
  CAIRN_WEBHOOK_PENDING_BYTES: ['Offene Daten eines Webhooks', 'Darüber wird der Webhook abgeschaltet'],
  CAIRN_WEBHOOK_APP_PENDING: [
    'Offene Zustellungen einer App',
    'Darüber werden ihre Webhooks mit den meisten abgeschaltet',
  ],
  CAIRN_WEBHOOK_APP_PENDING_BYTES: [
    'Offene Daten einer App',
    'Darüber werden ihre Webhooks mit den meisten abgeschaltet',
  ],
  CAIRN_WEBHOOK_ALL_PENDING: [
    'Offene Zustellungen aller Webhooks',
    'Darüber werden Webhooks des Eigentümers mit den meisten abgeschaltet',
  ],
  CAIRN_WEBHOOK_ALL_PENDING_BYTES: [
    'Offene Daten aller Webhooks',
    'Darüber werden Webhooks des Eigentümers mit den meisten abgeschaltet',
  ],
}

/** What the limits count. */
export const units: Record<string, string> = {
  'requests a minute': 'Anfragen je Minute',
  'exchanges a minute': 'Anmeldungen je Minute',
  'uploads an hour': 'Uploads je Stunde',
  'bytes an hour': 'Bytes je Stunde',
  'bytes a day': 'Bytes je Tag',
  'deliveries a second': 'Zustellungen je Sekunde',
  'probability per day': 'Wahrscheinlichkeit je Tag',
  apps: 'Apps',
  keys: 'Schlüssel',
  webhooks: 'Webhooks',
  fences: 'Geozäune',
  seasons: 'Saisons',
  scores: 'Ergebnisse',
  types: 'Minispiele',
  zones: 'Zonen',
  positions: 'Stützpunkte',
  imports: 'Importe',
  files: 'Dateien',
  bytes: 'Bytes',
  seconds: 'Sekunden',
  metres: 'Meter',
  days: 'Tage',
  deliveries: 'Zustellungen',
}
