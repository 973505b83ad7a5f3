/**
 * The profile of the reference server, as the YAML that a vendor would write: operations of all three groups in both
 * kinds, and a way to get each status.
 *
 * @param baseUrl address of the server; if absent, the command line or the environment gives it
 */
export function referenceProfile(baseUrl?: string): string {
  return `version: 1
target:
  name: Reference server
${baseUrl === undefined ? '' : `base_url: ${baseUrl}\n`}operations:
  - { id: get-service, group: service, kind: read, method: GET, path: /service }
  - { id: update-service, group: service, kind: write, method: PUT, path: /service, body: { name: "charts {{uuid}}" } }

  - { id: list-categories, group: categories, kind: read, method: GET, path: /categories }
  - { id: search-categories, group: categories, kind: read, method: POST, path: /categories/search, body: { text: Sh } }
  - { id: get-category, group: categories, kind: read, method: GET, path: /categories/1 }
  - { id: create-category, group: categories, kind: write, method: POST, path: /categories, body: { name: "category {{uuid}}" } }
  - { id: update-category, group: categories, kind: write, method: PUT, path: /categories/1, body: { name: "Shirts {{counter}}" } }

  - { id: list-labels, group: labels, kind: read, method: GET, path: /labels }
  - { id: get-label, group: labels, kind: read, method: GET, path: /labels/1 }
  - id: create-label
    group: labels
    kind: write
    method: POST
    path: /labels
    body: { name: "label {{uuid}}" }
    capture: { label_id: /id }
  - { id: update-label, group: labels, kind: write, method: PUT, path: /labels/1, body: { name: "Chest {{counter}}" } }
  - id: delete-label
    group: labels
    kind: write
    method: DELETE
    path: "/labels/{{label_id}}"
    prepare: [create-label]

probes:
  invalid_parameter:
    - { operation: list-categories, query: { page: "-1" } }
    - { operation: create-label, body: { name: 7 } }
  not_found:
    - { operation: get-label, path: /labels/does-not-exist }
    - { operation: update-category, path: /categories/does-not-exist }
  forbidden:
    - { operation: create-label }
    - { operation: update-service }
  internal_failure:
    - { operation: get-service, path: /service/failure }
`;
}
