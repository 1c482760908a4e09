/** The query key of the user's shared maps. */
export const MAPS_KEY = ['shared-maps']
