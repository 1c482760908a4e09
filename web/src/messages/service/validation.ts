/** What the service says of an invalid value, in the words of the console: the validation's own sentences, with `#` for numbers. */
export const validation = {
  'Too small: expected string to have >=# characters': 'Must have at least # characters',
  'Too big: expected string to have <=# characters': 'Must have at most # characters',
  'Too small: expected number to be >=#': 'Must be at least #',
  'Too small: expected number to be >#': 'Must be more than #',
  'Too big: expected number to be <=#': 'Must be at most #',
  'Too big: expected number to be <#': 'Must be less than #',
  'Too small: expected int to be >=#': 'Must be at least #',
  'Too big: expected int to be <=#': 'Must be at most #',
  'Too small: expected array to have >=# items': 'Must have at least # entries',
  'Too big: expected array to have <=# items': 'Must have at most # entries',
  'Invalid input: expected number, received null': 'Must be a number',
  'Invalid input: expected number, received string': 'Must be a number',
  'Invalid input: expected number, received NaN': 'Must be a number',
  'Invalid input: expected int, received number': 'Must be a whole number',
  'Invalid input: expected string, received null': 'This field is required',
  'Invalid email address': 'Must be an email address',
  'Invalid URL': 'Must be a URL',
  'Invalid UUID': 'Must be an ID, such as 01a22c16-ffa0-729f-b2ef-a2988162e64e',
  'is required': 'This field is required',
  'must be an integer': 'Must be a whole number',
  'must be a positive integer': 'Must be a whole number above 0',
  'must be a whole number': 'Must be a whole number',
  'must be a finite number': 'Must be a number',
  'must have a visible character': 'Must have a visible character',
  'must not repeat': 'Must not have an entry twice',
  'must not have control characters': 'Must not have control characters',
  'must not have control characters, invisible characters or ones that change the direction of text':
    'Must not have control characters, invisible characters or ones that change the direction of text',
  'must be an http or https URL': 'Must be an http or https URL',
  'must be an http or https URL, with spaces and other invalid characters percent-encoded':
    'Must be an http or https URL, with spaces and other invalid characters percent-encoded',
  'must be an https URL, or http on a loopback address': 'Must be an https URL, or http on a loopback address',
  'must be an https URL of a MapLibre style, without user name and password':
    'Must be the https URL of a MapLibre style, without user name and password',
  'must be an IANA time zone, such as Europe/Berlin': 'Must be a time zone, such as Europe/Berlin',
  'must be a year at most': 'Must be at most a year',
  'can have at most # addresses': 'At most # addresses',
  'maxScore must not be less than minScore': 'The highest score must not be less than the lowest',
  'latitude and longitude must be given together': 'Latitude and longitude must be given together',
  'lat and long must be given together': 'Latitude and longitude must be given together',
  'must be a GeoJSON Polygon or MultiPolygon; for a Feature, send its geometry':
    'Must be a GeoJSON Polygon or MultiPolygon',
}

export type ValidationTexts = Record<keyof typeof validation, string>
