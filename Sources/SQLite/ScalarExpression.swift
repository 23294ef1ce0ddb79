import CSQLite

/// An SQL expression over named values of one row, which SQLite has checked.
///
/// It has one result for a row, the same in every run: no subquery, table or parameter, and only
/// the functions of ``functions`` and those that are given. SQLite's authorizer decides this, not a parser of our own.
///
/// Related SQLite documentation: <https://www.sqlite.org/lang_expr.html>,
/// <https://www.sqlite.org/c3ref/set_authorizer.html>
package struct ScalarExpression: Hashable, Sendable {
  /// A value that an expression reads.
  package struct Name: Hashable, Sendable {
    /// The name before the point, as in `owner.name`; `nil` for a value of the row itself.
    package let scope: String?

    /// The name of the value.
    package let value: String

    package init(scope: String? = nil, value: String) {
      self.scope = scope
      self.value = value
    }
  }

  /// Why a text isn't such an expression.
  package struct Mistake: Error, Hashable, Sendable {
    /// The reason, lowercase and without a final period.
    package let reason: String

    /// The index of the text's byte where SQLite notices it; `nil` if it doesn't tell.
    package let offset: Int?

    package init(reason: String, offset: Int?) {
      (self.reason, self.offset) = (reason, offset)
    }
  }

  /// The text, as it was given.
  package let text: String

  /// The values that the expression reads.
  package let names: Set<Name>

  /// Checks an expression.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - values: The names that it may use.
  ///   - scopes: Further names, each of which follows the name of its scope and a point.
  ///   - functions: Functions of our own that it may call.
  /// - Throws: A ``Mistake`` if the text isn't such an expression.
  package init(
    _ text: String, over values: [String], scopes: [String: [String]] = [:],
    functions: [ScalarFunction] = []
  ) throws(Mistake) {
    self.text = text
    let review: ExpressionReview
    do throws(SQLiteError) {
      review = try ExpressionReview(of: text, over: values, scopes, functions)
    } catch {
      throw Mistake(reason: error.message, offset: nil)
    }
    if let mistake = review.mistake { throw mistake }
    names = review.names
  }
}

extension ScalarExpression {
  /// A row of another table, whose values an expression reads.
  package struct Scope {
    /// The name, as it stands before the point.
    package let name: String

    /// The FROM and WHERE clauses that find the row.
    package let source: String

    package init(name: String, source: String) {
      self.name = name
      self.source = source
    }
  }

  /// Returns the expression for use in a query.
  ///
  /// - Parameters:
  ///   - scopes: The rows of other tables. Where there is no such row, its values are NULL.
  ///   - value: Returns the SQL of a value, in the query or in its scope.
  /// - Returns: SQL in parentheses.
  package func sql(scopes: [Scope], _ value: (Name) -> String) -> String {
    func columns(of scope: String?) -> String {
      let list = names.filter { $0.scope == scope }.sorted { $0.value < $1.value }
        .map { "\(value($0)) AS \(quoteIdentifier($0.value))" }
      return list.isEmpty ? "NULL" : list.joined(separator: ", ")
    }
    // The line break ends a comment at the text's end.
    let own = "(SELECT (\n\(text)\n) FROM (SELECT \(columns(of: nil))))"
    if scopes.isEmpty { return own }
    let joins = scopes.map {
      "LEFT JOIN (SELECT \(columns(of: $0.name)) \($0.source)) AS \(quoteIdentifier($0.name))"
    }
    return "(SELECT \(own) FROM (SELECT 1) \(joins.joined(separator: " ")))"
  }

  /// The functions that an expression may call: their results depend on their arguments only.
  ///
  /// SQLite's functions of dates aren't among them, because `date()` is the present day. Not every
  /// SQLite has those of decimals, which are an extension (<https://www.sqlite.org/floatingpoint.html>).
  package static let functions: Set<String> = [
    "->", "->>", "abs", "acos", "asin", "atan", "atan2", "ceil", "ceiling", "char", "coalesce",
    "concat", "concat_ws", "cos", "decimal", "decimal_add", "decimal_cmp", "decimal_exp",
    "decimal_mul", "decimal_pow2", "decimal_sub", "degrees", "exp", "floor", "format", "glob",
    "hex", "ifnull",
    "iif", "instr", "json", "json_array", "json_array_length", "json_extract", "json_insert",
    "json_object", "json_patch", "json_quote", "json_remove", "json_replace", "json_set",
    "json_type", "json_valid", "length", "like", "ln", "log", "log10", "log2", "lower", "ltrim",
    "max", "min", "mod", "nullif", "octet_length", "pi", "pow", "power", "printf", "quote",
    "radians", "replace", "round", "rtrim", "sign", "sin", "sqrt", "substr", "substring", "tan",
    "trim", "trunc", "typeof", "unhex", "unicode", "upper",
  ]
}
