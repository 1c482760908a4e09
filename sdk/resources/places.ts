import type * as api from '../generated/types.gen.ts'
import { conditionHeaders, type IfMatch } from '../http/conditions.ts'
import type { CallOptions, Connection } from '../http/connection.ts'
import { listFeatures } from './ogc-features.ts'

/** Pins: content at a location. Reading is public; with a session it includes the user's private pins. */
export const pins = (to: Connection) => ({
  /** Pins around a point in degrees, nearest first, with `distance` in metres. `radius` is in metres and defaults to 1,000. */
  near: (lat: number, lon: number, query: NearQuery = {}, call?: CallOptions) =>
    to.list<api.ListPinsData, { pins: api.LocatedPin[] }, api.LocatedPin>(
      '/api/location/pins',
      { query: { ...query, lat: String(lat), lon: String(lon) } as PinQuery },
      ({ pins }) => pins,
      call,
    ),
  /** Public pins in a bounding box as GeoJSON, up to 10,000 per page, for maps. */
  features: (query: Parameters<typeof listFeatures>[2] = {}, call?: CallOptions) =>
    listFeatures(to, 'pins', query, call),
  /** Pins, ground control points and zones by name, a few of each kind. With a session it includes the user's private pins. */
  named: async (search: string, query: { limit?: number } = {}, call?: CallOptions) =>
    (
      await to.get<api.ListPlacesByNameData, api.NamedPlaces>(
        '/api/location/names',
        { query: { ...query, search } },
        call,
      )
    ).places,
  get: (id: number, query?: api.GetPinData['query'], call?: CallOptions) =>
    to.get<api.GetPinData, api.Pin>('/api/location/pins/{id}', { path: { id }, query }, call),
  /** A pin and its ETag. */
  getTagged: (id: number, call?: CallOptions) =>
    to.tagged<api.GetPinData, api.Pin>('/api/location/pins/{id}', { path: { id } }, call),
  create: (body: api.NewPinInput, call?: CallOptions) =>
    to.post<api.CreatePinData, api.Pin>('/api/location/pins', { body }, call),
  /** Missing fields stay unchanged; null clears a field. */
  update: (id: number, body: api.PinChangeInput, call?: CallOptions) =>
    to.put<api.UpdatePinData, api.Pin>('/api/location/pins/{id}', { path: { id }, body }, call),
  /** Updates a pin if its ETag is still this one. It is sent once only. @returns the pin and its new ETag @throws CairnError 412 otherwise */
  updateTagged: (id: number, body: api.PinChangeInput, ifMatch: string, call?: CallOptions) =>
    to.putTagged<api.UpdatePinData, api.Pin>(
      '/api/location/pins/{id}',
      { path: { id }, body, ...conditionHeaders({ ifMatch }) },
      call,
    ),
  /** @throws CairnError 412 if the condition does not hold */
  delete: (id: number, { ifMatch, ...call }: CallOptions & IfMatch = {}) =>
    to.delete<api.DeletePinData>('/api/location/pins/{id}', { path: { id }, ...conditionHeaders({ ifMatch }) }, call),
})

type PinQuery = api.ListPinsData['query']
/** Strings in the API; numbers work as well. */
type InMetres = 'radius' | 'minH' | 'maxH'
type NearQuery = Omit<PinQuery, 'lat' | 'lon' | 'format' | InMetres> & { [Name in InMetres]?: number }

/** Zones: areas with a GeoJSON boundary. */
export const zones = (to: Connection) => ({
  /** Oldest first. */
  list: (query?: api.ListZonesData['query'], call?: CallOptions) =>
    to.list<api.ListZonesData, { zones: api.Zone[] }, api.Zone>('/api/zones', { query }, ({ zones }) => zones, call),
  /** The zones that contain a point. */
  at: (lat: number, lon: number, call?: CallOptions) =>
    to.list<api.ListZonesAtPointData, { zones: api.Zone[] }, api.Zone>(
      '/api/zones/at',
      { query: { lat: String(lat), lon: String(lon) } },
      ({ zones }) => zones,
      call,
    ),
  get: (id: number, call?: CallOptions) => to.get<api.GetZoneData, api.Zone>('/api/zones/{id}', { path: { id } }, call),
  create: (body: api.NewZoneInput, call?: CallOptions) =>
    to.post<api.CreateZoneData, api.Zone>('/api/zones', { body }, call),
  update: (id: number, body: api.ZoneChangeInput, call?: CallOptions) =>
    to.put<api.UpdateZoneData, api.Zone>('/api/zones/{id}', { path: { id }, body }, call),
  /** Deletes a zone. `cascade` is required if it is not empty, and deletes its contents. */
  delete: (id: number, query?: api.DeleteZoneData['query'], call?: CallOptions) =>
    to.delete<api.DeleteZoneData>('/api/zones/{id}', { path: { id }, query }, call),
  /** The users who may change what is in the zone. For its owner, its editors and ops. */
  editors: (id: number, call?: CallOptions) =>
    to.get<api.ListZoneEditorsData, api.ZoneEditorList>('/api/zones/{id}/editors', { path: { id } }, call),
  /** @throws CairnError 404 for an unknown user; 409 for an editor, and beyond 100 editors */
  addEditor: (id: number, userId: string, call?: CallOptions) =>
    to.post<api.AddZoneEditorData, api.ZoneEditor>('/api/zones/{id}/editors', { path: { id }, body: { userId } }, call),
  /** Removes an editor, or leaves the zone. */
  removeEditor: (id: number, userId: string, call?: CallOptions) =>
    to.delete<api.RemoveZoneEditorData>('/api/zones/{id}/editors/{userId}', { path: { id, userId } }, call),
})

/** Maps of chosen zones, pins and leaderboards, which anyone sees who has the link. */
export const sharedMaps = (to: Connection) => ({
  /** What a map shows; needs no session. */
  get: (id: string, call?: CallOptions) =>
    to.get<api.GetSharedMapData, api.SharedMapView>('/api/v1/maps/{id}', { path: { id } }, call),
  /** Those of the user. */
  list: (call?: CallOptions) => to.get<api.ListSharedMapsData, api.SharedMapList>('/api/v1/user/maps', {}, call),
  create: (body: api.NewSharedMapInput, call?: CallOptions) =>
    to.post<api.CreateSharedMapData, api.SharedMap>('/api/v1/user/maps', { body }, call),
  update: (id: string, body: api.SharedMapChangeInput, call?: CallOptions) =>
    to.patch<api.UpdateSharedMapData, api.SharedMap>('/api/v1/user/maps/{id}', { path: { id }, body }, call),
  delete: (id: string, call?: CallOptions) =>
    to.delete<api.DeleteSharedMapData>('/api/v1/user/maps/{id}', { path: { id } }, call),
})
