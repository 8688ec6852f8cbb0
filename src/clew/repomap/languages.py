"""One row a language: its file suffixes, what defines a symbol, what may refer to one.

A definition is a match of a query with `@name`, optionally `@body` (the signature ends where it
begins) and `@owner`, and one more capture that names its kind. A `group` holds symbols and is
nothing that a name refers to (a namespace, an implementation block).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

GROUP: Final = "group"
FUNCTION: Final = "function"
CONSTANT: Final = "constant"
KINDS: Final = ("class", CONSTANT, FUNCTION, GROUP, "macro", "module", "type")


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """How one language is read; `grammar` is its name in the language pack.

    `definitions` is a query, `references` the node types that hold a name, `imports` a
    query whose `@from` has words that name the files this one knows.
    """

    grammar: str
    suffixes: tuple[str, ...]
    definitions: str
    references: tuple[str, ...]
    imports: str = ""


_SCRIPT: Final = """
(function_declaration name: (_) @name body: (_) @body) @function
(generator_function_declaration name: (_) @name body: (_) @body) @function
(class_declaration name: (_) @name body: (_) @body) @class
(method_definition name: (_) @name body: (_) @body) @function
(variable_declarator name: (identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @function
(program (lexical_declaration (variable_declarator name: (identifier) @name "=" @body) @constant))
(program (export_statement
  (lexical_declaration (variable_declarator name: (identifier) @name "=" @body) @constant)))
(assignment_expression left: (member_expression property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @function
"""
_TYPED_SCRIPT: Final = (
    _SCRIPT
    + """
(abstract_class_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @type
(type_alias_declaration name: (_) @name "=" @body) @type
(enum_declaration name: (_) @name body: (_) @body) @type
(internal_module name: (_) @name body: (_) @body) @group
(function_signature name: (_) @name) @function
(method_signature name: (_) @name) @function
(abstract_method_signature name: (_) @name) @function
"""
)
_SCRIPT_NAMES: Final = (
    "identifier",
    "property_identifier",
    "shorthand_property_identifier",
)
_SCRIPT_IMPORTS: Final = """
(import_statement (string) @from)
(export_statement (string) @from)
(call_expression function: [(identifier) (import)] @how arguments: (arguments (string) @from)
  (#any-of? @how "require" "import"))
"""
_C: Final = """
(function_definition declarator: (function_declarator declarator: (identifier) @name)
  body: (_) @body) @function
(function_definition declarator: (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @name)) body: (_) @body) @function
(declaration declarator: (function_declarator declarator: (identifier) @name)) @function
(declaration declarator: (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @name))) @function
(struct_specifier name: (type_identifier) @name body: (_) @body) @class
(union_specifier name: (type_identifier) @name body: (_) @body) @class
(enum_specifier name: (type_identifier) @name body: (_) @body) @type
(type_definition declarator: (type_identifier) @name) @type
(preproc_function_def name: (identifier) @name value: (_)? @body) @macro
(preproc_def name: (identifier) @name value: (_) @body) @macro
"""
_CPP: Final = (
    _C
    + """
(function_definition declarator: (function_declarator
  declarator: [(field_identifier) (qualified_identifier) (operator_name) (destructor_name)] @name)
  body: (_) @body) @function
(function_definition declarator: (pointer_declarator declarator: (function_declarator
  declarator: [(field_identifier) (qualified_identifier)] @name)) body: (_) @body) @function
(function_definition declarator: (reference_declarator (function_declarator
  declarator: [(identifier) (field_identifier) (qualified_identifier)] @name))
  body: (_) @body) @function
(field_declaration declarator: (function_declarator declarator: (field_identifier) @name)) @function
(class_specifier name: (type_identifier) @name body: (_) @body) @class
(namespace_definition name: (_) @name body: (_) @body) @group
(alias_declaration name: (type_identifier) @name "=" @body) @type
"""
)

LANGUAGES: Final = (
    Language(
        grammar="python",
        suffixes=(".py", ".pyi"),
        definitions="""
(class_definition name: (_) @name body: (_) @body) @class
(function_definition name: (_) @name body: (_) @body) @function
(module (assignment left: (identifier) @name "=" @body) @constant)
(module (expression_statement (assignment left: (identifier) @name "=" @body) @constant))
(module (type_alias_statement left: (type (identifier) @name) "=" @body) @type)
""",
        references=("identifier",),
        imports="(import_statement) @from (import_from_statement) @from",
    ),
    Language(
        grammar="javascript",
        suffixes=(".js", ".jsx", ".mjs", ".cjs"),
        definitions=_SCRIPT,
        references=_SCRIPT_NAMES,
        imports=_SCRIPT_IMPORTS,
    ),
    Language(
        grammar="typescript",
        suffixes=(".ts", ".mts", ".cts"),
        definitions=_TYPED_SCRIPT,
        references=(*_SCRIPT_NAMES, "type_identifier"),
        imports=_SCRIPT_IMPORTS,
    ),
    Language(
        grammar="tsx",
        suffixes=(".tsx",),
        definitions=_TYPED_SCRIPT,
        references=(*_SCRIPT_NAMES, "type_identifier"),
        imports=_SCRIPT_IMPORTS,
    ),
    Language(
        grammar="go",
        suffixes=(".go",),
        definitions="""
(function_declaration name: (_) @name body: (_)? @body) @function
(method_declaration receiver: (parameter_list (parameter_declaration
  type: [(type_identifier) @owner (pointer_type (type_identifier) @owner)
    (generic_type type: (_) @owner) (pointer_type (generic_type type: (_) @owner))]))
  name: (_) @name body: (_)? @body) @function
(type_spec name: (_) @name type: [(struct_type (field_declaration_list) @body)
  (interface_type "interface" "{" @body)]) @class
(type_spec name: (_) @name type: [(type_identifier) (function_type) (map_type) (slice_type)
  (pointer_type) (qualified_type) (array_type) (channel_type)]) @type
(type_alias name: (_) @name) @type
(method_elem name: (_) @name) @function
(source_file (const_declaration (const_spec name: (identifier) @name "="? @body) @constant))
(source_file (var_declaration (var_spec name: (identifier) @name "="? @body) @constant))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name "="? @body)
  @constant)))
""",
        references=("identifier", "type_identifier", "field_identifier"),
        imports="(import_spec) @from",
    ),
    Language(
        grammar="rust",
        suffixes=(".rs",),
        definitions="""
(function_item name: (_) @name body: (_) @body) @function
(function_signature_item name: (_) @name) @function
(struct_item name: (_) @name body: (_)? @body) @class
(union_item name: (_) @name body: (_) @body) @class
(enum_item name: (_) @name body: (_) @body) @type
(trait_item name: (_) @name body: (_) @body) @type
(type_item name: (_) @name "=" @body) @type
(impl_item type: (_) @name body: (_) @body) @group
(mod_item name: (_) @name body: (_) @body) @group
(macro_definition name: (_) @name) @macro
(const_item name: (_) @name "=" @body) @constant
(static_item name: (_) @name "=" @body) @constant
""",
        references=("identifier", "type_identifier", "field_identifier"),
        imports="(use_declaration) @from (mod_item) @from",
    ),
    Language(
        grammar="java",
        suffixes=(".java",),
        definitions="""
(class_declaration name: (_) @name body: (_) @body) @class
(record_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @type
(enum_declaration name: (_) @name body: (_) @body) @type
(annotation_type_declaration name: (_) @name body: (_) @body) @type
(method_declaration name: (_) @name body: (_)? @body) @function
(constructor_declaration name: (_) @name body: (_) @body) @function
""",
        references=("identifier", "type_identifier"),
        imports="(import_declaration) @from",
    ),
    Language(
        grammar="c",
        suffixes=(".c", ".h"),
        definitions=_C,
        references=("identifier", "type_identifier", "field_identifier"),
        imports="(preproc_include) @from",
    ),
    Language(
        grammar="cpp",
        suffixes=(".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"),
        definitions=_CPP,
        references=("identifier", "type_identifier", "field_identifier"),
        imports="(preproc_include) @from (using_declaration) @from",
    ),
    Language(
        grammar="ruby",
        suffixes=(".rb", ".rake"),
        definitions="""
(module name: (_) @name body: (_)? @body) @module
(class name: (_) @name body: (_)? @body) @class
(method name: (_) @name body: (_)? @body) @function
(singleton_method name: (_) @name body: (_)? @body) @function
(assignment left: (constant) @name "=" @body) @constant
""",
        references=("identifier", "constant"),
        imports="""
(call method: (identifier) @how arguments: (argument_list (string) @from)
  (#match? @how "^require"))
""",
    ),
    Language(
        grammar="csharp",
        suffixes=(".cs",),
        definitions="""
(namespace_declaration name: (_) @name body: (_) @body) @group
(class_declaration name: (_) @name body: (_) @body) @class
(struct_declaration name: (_) @name body: (_) @body) @class
(record_declaration name: (_) @name body: (_)? @body) @class
(interface_declaration name: (_) @name body: (_) @body) @type
(enum_declaration name: (_) @name body: (_) @body) @type
(method_declaration name: (_) @name body: (_)? @body) @function
(constructor_declaration name: (_) @name body: (_) @body) @function
(property_declaration name: (_) @name accessors: (_)? @body) @constant
""",
        references=("identifier",),
        imports="(using_directive) @from",
    ),
    Language(
        grammar="php",
        suffixes=(".php",),
        definitions="""
(class_declaration name: (_) @name body: (_) @body) @class
(trait_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @type
(enum_declaration name: (_) @name body: (_) @body) @type
(function_definition name: (_) @name body: (_) @body) @function
(method_declaration name: (_) @name body: (_)? @body) @function
""",
        references=("name",),
        imports="(namespace_use_declaration) @from",
    ),
    Language(
        grammar="kotlin",
        suffixes=(".kt", ".kts"),
        definitions="""
(class_declaration (type_identifier) @name (class_body)? @body) @class
(object_declaration (type_identifier) @name (class_body)? @body) @class
(function_declaration (simple_identifier) @name (function_body)? @body) @function
(type_alias (type_identifier) @name) @type
""",
        references=("simple_identifier", "type_identifier"),
        imports="(import_header) @from",
    ),
    Language(
        grammar="swift",
        suffixes=(".swift",),
        definitions="""
(class_declaration name: (type_identifier) @name body: (_) @body) @class
(class_declaration name: (user_type) @name body: (_) @body) @group
(protocol_declaration name: (_) @name body: (_) @body) @type
(function_declaration name: (simple_identifier) @name body: (_) @body) @function
(protocol_function_declaration name: (simple_identifier) @name) @function
""",
        references=("simple_identifier", "type_identifier"),
        imports="(import_declaration) @from",
    ),
    Language(
        grammar="scala",
        suffixes=(".scala", ".sc"),
        definitions="""
(class_definition name: (_) @name body: (_)? @body) @class
(object_definition name: (_) @name body: (_)? @body) @class
(trait_definition name: (_) @name body: (_)? @body) @type
(function_definition name: (_) @name "=" @body) @function
(function_declaration name: (_) @name) @function
""",
        references=("identifier", "type_identifier"),
        imports="(import_declaration) @from",
    ),
    Language(
        grammar="lua",
        suffixes=(".lua",),
        definitions="(function_declaration name: (_) @name body: (_)? @body) @function",
        references=("identifier",),
    ),
    Language(
        grammar="bash",
        suffixes=(".sh", ".bash"),
        definitions="(function_definition name: (_) @name body: (_) @body) @function",
        references=("word",),
    ),
)
"""A language without a row is listed by the paths of its files alone."""

_BY_SUFFIX: Final = {suffix: row for row in LANGUAGES for suffix in row.suffixes}


def language_of(path: str) -> Language | None:
    """The row of a file by its suffix, in lower case; None for a language that has none."""
    name = path.rpartition("/")[2]
    dot = name.rfind(".")
    return _BY_SUFFIX.get(name[dot:].lower()) if dot > 0 else None
