import type { ServerTexts } from '../../service/sentences.ts'

export const serverTexts: ServerTexts = {
  'CAIRN_REDIS_URL is not set': 'CAIRN_REDIS_URL ist nicht gesetzt',
  'CAIRN_DATABASE_REPLICA_URL is not set': 'CAIRN_DATABASE_REPLICA_URL ist nicht gesetzt',
  '# pins in memory': '# Pins im Arbeitsspeicher',
  '# ms behind': '# ms im Rückstand',
  'Accounts of this service': 'Konten dieses Dienstes',
  'Nobody can sign in: set CAIRN_OIDC': 'Niemand kann sich anmelden: CAIRN_OIDC setzen',

  'The mail server refused this address (#)': 'Der Mailserver hat diese Adresse abgelehnt (#)',
  'The mail server does not accept mail to this address now (#)':
    'Der Mailserver nimmt zurzeit keine E-Mails an diese Adresse an (#)',
  'The mail server refused the sign-in (#)': 'Der Mailserver hat die Anmeldung abgelehnt (#)',
  'The mail server refused the sender or the mail (#)': 'Der Mailserver hat den Absender oder die E-Mail abgelehnt (#)',
  'The mail server does not accept mail now (#)': 'Der Mailserver nimmt zurzeit keine E-Mails an (#)',
  'The mail server has no valid certificate': 'Der Mailserver hat kein gültiges Zertifikat',
  'The mail server offers no usable TLS': 'Der Mailserver bietet kein nutzbares TLS an',
  'The mail server did not answer in time': 'Der Mailserver hat nicht rechtzeitig geantwortet',
  'The mail server could not be reached': 'Der Mailserver ist nicht erreichbar',

  'This app already has a player named #': 'Diese App hat schon einen Spieler namens #',
  'This app already has a mini game type named #': 'Diese App hat schon ein Minispiel namens #',
  'This game session is completed, which is final: create a new one':
    'Diese Sitzung ist endgültig beendet: Legen Sie eine neue an',
  'This game session is completed and accepts no more players':
    'Diese Sitzung ist beendet und nimmt keine Spieler mehr auf',
  'Scores are accepted only while a game session is active: this one is paused or completed':
    'Ergebnisse werden nur in laufenden Sitzungen angenommen: Diese ist angehalten oder beendet',
  'This player is banned: set its standing to normal or hidden first':
    'Dieser Spieler ist gesperrt: Heben Sie zuerst die Sperre auf',
  'This player has no ranking on this leaderboard': 'Dieser Spieler hat keinen Rang in dieser Rangliste',
  'The score lies outside the bounds of its mini game type by now: change the bounds, or reject it':
    'Das Ergebnis liegt inzwischen außerhalb der Grenzen seines Minispiels: Ändern Sie die Grenzen, oder lehnen Sie es ab',
  'The score can no longer be written: its game session or its player is gone':
    'Das Ergebnis lässt sich nicht mehr schreiben: Seine Sitzung oder sein Spieler wurde gelöscht',
  'The sort order of a mini game type is fixed once a score is written: create another type':
    'Die Sortierung eines Minispiels steht mit dem ersten Ergebnis fest: Legen Sie ein anderes an',
  'The score mode of a mini game type is fixed once a score is written: create another type':
    'Was zählt, steht bei einem Minispiel mit dem ersten Ergebnis fest: Legen Sie ein anderes an',
  'The ties of a mini game type are fixed once a score is written: create another type':
    'Was bei Gleichstand gilt, steht bei einem Minispiel mit dem ersten Ergebnis fest: Legen Sie ein anderes an',
  'This season has ended: its end can no longer be changed':
    'Diese Saison ist beendet: Ihr Ende lässt sich nicht mehr ändern',
  'This webhook is disabled: enable it to send pending deliveries':
    'Dieser Webhook ist abgeschaltet: Schalten Sie ihn ein, um offene Zustellungen zu senden',

  'This is the only owner of the app: make another member an owner first':
    'Das ist der einzige Eigentümer der App: Machen Sie zuerst ein anderes Mitglied zum Eigentümer',
  'This user is a member of the app already: change the role instead':
    'Dieser Benutzer ist schon Mitglied der App: Ändern Sie stattdessen die Rolle',
  'There is already an account with the login #': 'Es gibt schon ein Konto mit dem Anmeldenamen #',
  'You cannot disable your own account': 'Das eigene Konto lässt sich nicht deaktivieren',
  'Only admins grant roles': 'Nur Admins vergeben Rollen',
  'This requires ops or admin': 'Dazu ist die Rolle Ops oder Admin nötig',
  'This requires admin': 'Dazu ist die Rolle Admin nötig',
  'This app belongs to another user': 'Diese App gehört jemand anderem',
  'The session token is not valid or has expired: sign in again':
    'Die Anmeldung ist ungültig oder abgelaufen: Melden Sie sich wieder an',
  'Only a failed job can be retried': 'Nur fehlgeschlagene Aufträge lassen sich wiederholen',
  'Only a failed import can be retried, and only while its file is not being imported already':
    'Nur fehlgeschlagene Importe lassen sich wiederholen, und nur solange die Datei nicht schon importiert wird',
  'An app has at most # members: remove one first': 'Eine App hat höchstens # Mitglieder: Entfernen Sie zuerst eines',
  'An app has at most # pending invitations: revoke one first':
    'Eine App hat höchstens # offene Einladungen: Widerrufen Sie zuerst eine',
  'A user can have at most # personal tokens: delete one first':
    'Ein Benutzer kann höchstens # persönliche Tokens haben: Löschen Sie zuerst eines',
  'A user can have at most # shared maps: delete one first':
    'Ein Benutzer kann höchstens # geteilte Karten haben: Löschen Sie zuerst eine',
  'The username # is taken': 'Der Benutzername # ist vergeben',
  'Your password was changed at the same time: try again with the present one':
    'Ihr Passwort wurde gleichzeitig geändert: Versuchen Sie es mit dem jetzigen noch einmal',
  'You have no password here: you sign in at your identity provider':
    'Sie haben hier kein Passwort: Sie melden sich bei Ihrem Identitätsanbieter an',
  'This user was deleted': 'Dieser Benutzer wurde gelöscht',
  'This upload has expired: announce the file again': 'Dieser Upload ist abgelaufen: Wählen Sie die Datei noch einmal',
  'Your previous export is still being sent: finish or cancel its download first':
    'Ihr voriger Export wird noch gesendet: Beenden Sie zuerst den Download, oder brechen Sie ihn ab',
  'This player is banned and gets no token': 'Dieser Spieler ist gesperrt und erhält kein Token',
  'This model has been converted, is being converted, or its files are gone':
    'Dieses Modell ist konvertiert, wird gerade konvertiert, oder seine Dateien fehlen',
  'This link was used: sign in with the account that it created':
    'Dieser Link wurde schon benutzt: Melden Sie sich mit dem Konto an, das damit angelegt wurde',
}
