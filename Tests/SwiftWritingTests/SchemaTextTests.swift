import Testing

struct SchemaTextTests {}
