const heightDatums: Record<string, string> = {
  ellipsoid: 'above the ellipsoid',
  orthometric: 'above the sea, datum not stated',
  unknown: 'datum unknown',
  'EPSG:5709': 'NAP',
  'EPSG:7837': 'DHHN2016',
  'EPSG:5783': 'DHHN92',
  'EPSG:5703': 'NAVD88',
  'EPSG:5941': 'NN2000',
  'EPSG:5613': 'RH2000',
  'EPSG:5720': 'NGF-IGN69',
  'EPSG:5701': 'ODN',
}

/** The common name of a height datum, or its code if unknown. */
export const heightDatumName = (datum: string): string => heightDatums[datum] ?? datum
