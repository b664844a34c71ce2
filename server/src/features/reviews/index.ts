export { newestReviews, removedReviews } from './reviews.queries.js'
export { reviewRoutes } from './reviews.routes.js'
