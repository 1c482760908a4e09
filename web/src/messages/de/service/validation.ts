import type { ValidationTexts } from '../../service/validation.ts'

export const validation: ValidationTexts = {
  'Too small: expected string to have >=# characters': 'Mindestens # Zeichen',
  'Too big: expected string to have <=# characters': 'Höchstens # Zeichen',
  'Too small: expected number to be >=#': 'Muss mindestens # sein',
  'Too small: expected number to be >#': 'Muss größer als # sein',
  'Too big: expected number to be <=#': 'Darf höchstens # sein',
  'Too big: expected number to be <#': 'Muss kleiner als # sein',
  'Too small: expected int to be >=#': 'Muss mindestens # sein',
  'Too big: expected int to be <=#': 'Darf höchstens # sein',
  'Too small: expected array to have >=# items': 'Mindestens # Einträge',
  'Too big: expected array to have <=# items': 'Höchstens # Einträge',
  'Invalid input: expected number, received null': 'Muss eine Zahl sein',
  'Invalid input: expected number, received string': 'Muss eine Zahl sein',
  'Invalid input: expected number, received NaN': 'Muss eine Zahl sein',
  'Invalid input: expected int, received number': 'Muss eine ganze Zahl sein',
  'Invalid input: expected string, received null': 'Dieses Feld ist erforderlich',
  'Invalid email address': 'Muss eine E-Mail-Adresse sein',
  'Invalid URL': 'Muss eine URL sein',
  'Invalid UUID': 'Muss eine ID sein, etwa 01a22c16-ffa0-729f-b2ef-a2988162e64e',
  'is required': 'Dieses Feld ist erforderlich',
  'must be an integer': 'Muss eine ganze Zahl sein',
  'must be a positive integer': 'Muss eine ganze Zahl über 0 sein',
  'must be a whole number': 'Muss eine ganze Zahl sein',
  'must be a finite number': 'Muss eine Zahl sein',
  'must have a visible character': 'Muss ein sichtbares Zeichen enthalten',
  'must not repeat': 'Darf keinen Eintrag doppelt enthalten',
  'must not have control characters': 'Darf keine Steuerzeichen enthalten',
  'must not have control characters, invisible characters or ones that change the direction of text':
    'Darf keine Steuerzeichen, unsichtbaren Zeichen oder Zeichen enthalten, die die Schreibrichtung ändern',
  'must be an http or https URL': 'Muss eine http- oder https-URL sein',
  'must be an http or https URL, with spaces and other invalid characters percent-encoded':
    'Muss eine http- oder https-URL sein, in der Leerzeichen und andere ungültige Zeichen kodiert sind',
  'must be an https URL, or http on a loopback address':
    'Muss eine https-URL sein, oder http mit einer lokalen Adresse (Loopback)',
  'must be an https URL of a MapLibre style, without user name and password':
    'Muss die https-URL eines MapLibre-Stils sein, ohne Benutzername und Passwort',
  'must be an IANA time zone, such as Europe/Berlin': 'Muss eine Zeitzone sein, etwa Europe/Berlin',
  'must be a year at most': 'Darf höchstens ein Jahr sein',
  'can have at most # addresses': 'Höchstens # Adressen',
  'maxScore must not be less than minScore': 'Das höchste Ergebnis darf nicht unter dem niedrigsten liegen',
  'latitude and longitude must be given together': 'Breite und Länge gehören zusammen: Geben Sie beide an',
  'lat and long must be given together': 'Breite und Länge gehören zusammen: Geben Sie beide an',
  'must be a GeoJSON Polygon or MultiPolygon; for a Feature, send its geometry':
    'Muss ein Polygon oder MultiPolygon in GeoJSON sein',
}
