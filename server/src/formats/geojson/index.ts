export { type DataRecord, type FeatureOptions, featureOf, type Geometry, geometryOf, hasPlaces } from './features.js'
