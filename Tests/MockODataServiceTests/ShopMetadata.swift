/// Metadata of the services of these tests.
enum ShopMetadata {
    /// Version 4: products with parts that go with them, and tags without a property for their link.
    static let v4 = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Product"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String" Nullable="false" MaxLength="20"/>
        <Property Name="Price" Type="Edm.Decimal"/><Property Name="Added" Type="Edm.DateTimeOffset"/>
        <Property Name="Code" Type="Edm.Guid"/><Property Name="Sold" Type="Edm.Boolean"/>
        <Property Name="Changed" Type="Edm.Int32"><Annotation Term="Org.OData.Core.V1.Computed"/></Property>
        <NavigationProperty Name="Parts" Type="Collection(Shop.Part)" Partner="Product"><OnDelete Action="Cascade"/>
        </NavigationProperty>
        <NavigationProperty Name="Tags" Type="Collection(Shop.Tag)"/></EntityType>
        <EntityType Name="Part"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Size" Type="Edm.Int32"/><Property Name="ProductID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Product" Type="Shop.Product" Partner="Parts">
        <ReferentialConstraint Property="ProductID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityType Name="Tag"><Key><PropertyRef Name="Word"/></Key>
        <Property Name="Word" Type="Edm.String" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Products" EntityType="Shop.Product">
        <NavigationPropertyBinding Path="Parts" Target="Parts"/><NavigationPropertyBinding Path="Tags" Target="Tags"/>
        </EntitySet><EntitySet Name="Parts" EntityType="Shop.Part"/><EntitySet Name="Tags" EntityType="Shop.Tag"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    /// Version 2: products and their parts by an association.
    static let v2 = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"><edmx:DataServices>
        <Schema Namespace="Shop" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
        <EntityType Name="Product"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <Property Name="Price" Type="Edm.Decimal"/><Property Name="Added" Type="Edm.DateTime"/>
        <NavigationProperty Name="Parts" Relationship="Shop.ProductPart" FromRole="Product" ToRole="Part"/></EntityType>
        <EntityType Name="Part"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Size" Type="Edm.Int32"/><Property Name="ProductID" Type="Edm.Int32"/>
        <NavigationProperty Name="Product" Relationship="Shop.ProductPart" FromRole="Part" ToRole="Product"/></EntityType>
        <Association Name="ProductPart"><End Role="Product" Type="Shop.Product" Multiplicity="0..1"/>
        <End Role="Part" Type="Shop.Part" Multiplicity="*"/><ReferentialConstraint>
        <Principal Role="Product"><PropertyRef Name="ID"/></Principal>
        <Dependent Role="Part"><PropertyRef Name="ProductID"/></Dependent></ReferentialConstraint></Association>
        <EntityContainer Name="C"><EntitySet Name="Products" EntityType="Shop.Product"/>
        <EntitySet Name="Parts" EntityType="Shop.Part"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
}
